-- How long did the executions of CI runs run on each kind of runner?
-- $1 repository, $2 start, $3 end; a run is placed by its last execution
select ci_checks.runner, {sum ci_checks.ended_at - ci_checks.started_at} as seconds
from ci_runs
join ci_checks on ci_checks.repository_id = $1 and ci_checks.run = ci_runs.run
where ci_runs.repository_id = $1
    and ci_runs.placed_at >= cast($2 as bigint)
    and ci_runs.placed_at < cast($3 as bigint)
    and ci_checks.conclusion is not null
    and ci_checks.ended_at > ci_checks.started_at
group by ci_checks.runner;
