-- Which days of a period have executions, and which of them are summed?
-- $1 repository, $2 first day, $3 the day after the last
select day, is_summed as "is_summed [boolean]"
from ci_days
where repository_id = $1
    and day >= cast($2 as bigint)
    and day < cast($3 as bigint)
order by day;
