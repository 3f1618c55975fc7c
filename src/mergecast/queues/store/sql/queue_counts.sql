-- What has been counted in the queues of a repository?
-- $1 repository
select queue, counts
from queue_counts
where repository_id = $1
order by queue;
