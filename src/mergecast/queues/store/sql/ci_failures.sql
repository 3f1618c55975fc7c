-- Which executions failed?
-- $1 repository, $2 start, $3 end, $4 check; null for all
select
    ci_checks.base_ref,
    ci_checks.queue_name,
    ci_checks.name,
    ci_checks.runner,
    ci_checks.placed_at,
    ci_checks.run,
    ci_runs.recovered
from ci_checks
join ci_runs on ci_runs.repository_id = $1 and ci_runs.run = ci_checks.run
where ci_checks.repository_id = $1
    and ci_checks.placed_at >= cast($2 as bigint)
    and ci_checks.placed_at < cast($3 as bigint)
    and ci_checks.conclusion in ('failure', 'timed_out')
    and (cast($4 as integer) is null or ci_checks.name = cast($4 as integer));
