-- Which problems do the queues of some repositories have, and since when?
-- $1 repositories
select repository_id, base_ref, queue_name, name, since
from queue_problems
where repository_id = any($1::integer[]) and ended_at is null
order by repository_id, base_ref collate "C", queue_name collate "C", name collate "C";
