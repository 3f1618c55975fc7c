-- Delete causes of notices: those that happened once, and those that begin and end, which may last long.
-- $1 repository, $2 and $3 when those deleted were stored at the latest
delete from causes
where repository_id = $1 and stored_at < case when phase = 'once' then cast($2 as bigint) else cast($3 as bigint) end;
