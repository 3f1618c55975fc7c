-- Which days of a period have executions, and which of them are summed?
-- $1 repository, $2 first day, $3 the day after the last
select day, is_summed
from ci_days
where repository_id = $1
    and day >= $2::bigint
    and day < $3::bigint
order by day;
