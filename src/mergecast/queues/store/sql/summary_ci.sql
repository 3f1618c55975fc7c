-- How long did the executions of CI runs run and wait, by queue and by what came of the runs?
-- $1 repository, $2 start, $3 end, $4 base branches and $5 queues; null for all, $6 whether the kinds of runners are wanted
-- A run with several outcomes counts as the best of them.
with outcomes as (
    select
        ci_runs.run,
        ci_runs.base_ref,
        ci_runs.queue_name,
        ci_runs.seconds,
        ci_runs.waited,
        case when cast($6 as boolean) then ci_runs.seconds_by_runner else '' end as by_runner,
        min(
            case
                when checks.outcome = 'SUCCESS' then 0
                when checks.outcome in ('CHECKS_FAILED', 'CHECKS_TIMEOUT') then 1
                when checks.outcome = 'CHECKS_RETRIED' then 2
                when checks.outcome in ('INTERMEDIATE_RESULTS_SKIPPED', 'PULL_REQUEST_UPDATED') then 3
                when checks.outcome is not null then 4
            end
        ) as outcome
    from ci_runs
    left join subjects
        on subjects.repository_id = $1
        and subjects.key_high = ci_runs.key_high
        and subjects.key_low = ci_runs.key_low
    left join checks on checks.repository_id = $1 and checks.run = subjects.number
    where ci_runs.repository_id = $1
        and ci_runs.placed_at >= cast($2 as bigint)
        and ci_runs.placed_at < cast($3 as bigint)
        and ({list $4 integer} is null or ci_runs.base_ref {among $4 integer})
        and ({list $5 integer} is null or ci_runs.queue_name {among $5 integer})
    group by 1, 2, 3, 4, 5, 6
)
select base_ref, queue_name, outcome, by_runner, {sum seconds} as seconds, {sum waited} as waited, count(*) as runs
from outcomes
group by base_ref, queue_name, outcome, by_runner;
