-- The sources of a repository: how many deliveries each has, and when they were received.
-- $1 repository
select repository_id, source, kind, deliveries, first_at, last_at
from sources
where repository_id = $1
order by source, kind;
