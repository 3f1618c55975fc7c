-- The alerts of a repository that have not ended.
-- $1 repository
select document
from alerts
where repository_id = $1 and ended_at is null
order by base_ref collate "C", queue_name collate "C", since, figure collate "C", id collate "C";
