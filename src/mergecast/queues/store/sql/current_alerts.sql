-- The alerts that have not ended.
-- $1 repository
select document
from alerts
where repository_id = $1 and ended_at is null
order by id collate "C";
