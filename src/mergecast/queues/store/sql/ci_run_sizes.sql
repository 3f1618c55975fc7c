-- How many executions has each CI run?
-- $1 repository
select run, count(check_id) as executions
from (
    select run, check_id
    from ci_checks
    where repository_id = $1
    union all
    select run, null as check_id
    from ci_runs
    where repository_id = $1
) as executions
group by run
order by run;
