-- The keys of some stays, CI runs, bisections and threads.
-- $1 repository, $2 their numbers
select number, key_high, key_low
from subjects
where repository_id = $1 and number in (select unnest($2::bigint[]));
