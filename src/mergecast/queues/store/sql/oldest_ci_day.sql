-- Which is the oldest day with executions, if it is before another day?
-- $1 repository, $2 the other day
select day
from ci_days
where repository_id = $1 and day < cast($2 as integer)
order by day
limit 1;
