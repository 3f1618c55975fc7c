-- Which check did passed CI runs wait for, and how much earlier would they have ended without it?
-- $1 repository, $2 start, $3 end, $4 width of an interval, $5 shift of the intervals
with passed as (
    select distinct
        ci_runs.run,
        ci_runs.base_ref,
        ci_runs.queue_name,
        ci_runs.critical_name,
        ci_runs.critical_runner,
        ci_runs.critical_bucket,
        (ci_runs.placed_at + cast($5 as bigint)) / cast($4 as bigint) as interval_number
    from ci_runs
    join subjects
        on subjects.repository_id = $1
        and subjects.key_high = ci_runs.key_high
        and subjects.key_low = ci_runs.key_low
    join checks on checks.repository_id = $1 and checks.run = subjects.number
    where ci_runs.repository_id = $1
        and ci_runs.placed_at >= cast($2 as bigint)
        and ci_runs.placed_at < cast($3 as bigint)
        and checks.outcome = 'SUCCESS'
)
select
    base_ref,
    queue_name,
    critical_name,
    critical_runner,
    interval_number,
    critical_bucket,
    count(*) as runs
from passed
group by 1, 2, 3, 4, 5, 6;
