-- Mark causes of notices as sent on or dropped.
-- $1 repository, $2 keys, $3 kind, $4 phase, $5 now
update causes
set done_at = $5
where repository_id = $1 and key {among $2 text} and kind = $3 and phase = $4 and done_at is null;
