-- Which problems do the queues of a repository have?
-- $1 repository
select repository_id, found_at, base_ref, queue_name, name, since, ended_at, document
from queue_problems
where repository_id = $1 and ended_at is null
order by base_ref collate "C", queue_name collate "C", since, name collate "C";
