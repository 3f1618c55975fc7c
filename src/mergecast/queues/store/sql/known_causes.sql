-- The stored causes of notices with some keys.
-- $1 repository, $2 keys
select kind, key, phase, done_at
from causes
where repository_id = $1 and key in (select unnest($2::text[]));
