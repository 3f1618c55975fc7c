-- All alerts, to copy them.
-- $1 repository
select repository_id, id, baseline, began_at, ended_at, document
from alerts
where repository_id = $1
order by id collate "C";
