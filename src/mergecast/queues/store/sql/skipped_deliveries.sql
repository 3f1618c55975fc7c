-- How many deliveries were counted and not kept.
-- $1 repository
select repository_id, source, event, action, times
from skipped_deliveries
where repository_id = $1
order by source, event, action;
