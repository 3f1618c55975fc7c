-- What has been counted in the queues of some repositories?
-- $1 repositories
select repository_id, queue, counts
from queue_counts
where repository_id {among $1 integer}
order by repository_id, queue;
