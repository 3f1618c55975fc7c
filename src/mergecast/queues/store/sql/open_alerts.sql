-- The alerts of a repository that have not ended.
-- $1 repository
select document
from alerts
where repository_id = $1 and ended_at is null
order by base_ref {bytewise}, queue_name {bytewise}, since, figure {bytewise}, id {bytewise};
