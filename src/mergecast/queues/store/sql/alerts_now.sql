-- Which alerts of some repositories are open, and since when?
-- $1 repositories
select repository_id, base_ref, queue_name, figure, origin, since
from alerts
where repository_id {among $1 integer} and ended_at is null
order by repository_id, base_ref {bytewise}, queue_name {bytewise}, figure {bytewise}, id {bytewise};
