-- Which thresholds were set for some repositories?
-- $1 repositories
select repository_id, figure, millionths, base_ref, queue_name, alert
from thresholds
where repository_id = any($1::integer[])
order by repository_id, base_ref collate "C", queue_name collate "C", figure collate "C";
