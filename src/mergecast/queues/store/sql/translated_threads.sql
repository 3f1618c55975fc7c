-- How many threads of a source were translated, and how many of them by an earlier version of translation?
-- $1 repository, $2 source, $3 version
select count(*) as threads, count(*) filter (where translation < $3) as outdated
from threads
where repository_id = $1 and source = $2 and translation is not null;
