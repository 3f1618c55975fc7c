-- Of which days are states of queues stored?
-- $1 repository
select distinct day
from verdict_states
where repository_id = $1
order by day;
