-- Which levels of problems were set?
-- $1 repository
select repository_id, base_ref, queue_name, name, millionths
from thresholds
where repository_id = $1
order by base_ref collate "C", queue_name collate "C", name collate "C";
