-- Threads of a source that an earlier version of translation translated, the newest first.
-- $1 repository, $2 source, $3 version, $4 how many
select number, first_at, last_at
from threads
where repository_id = $1 and source = $2 and translation < $3
order by number desc
limit $4;
