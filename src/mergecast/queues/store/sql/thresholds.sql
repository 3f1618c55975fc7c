-- Which thresholds were set for some repositories?
-- $1 repositories
select repository_id, figure, millionths, base_ref, queue_name, alert as "alert [boolean]"
from thresholds
where repository_id {among $1 integer}
order by repository_id, base_ref {bytewise}, queue_name {bytewise}, figure {bytewise};
