-- Which stays had CI runs that failed, and which check was the first to fail in them?
-- $1 repository, $2 start, $3 end
select
    checks.stay,
    checks.run,
    checks.started_at,
    checks.ended_at,
    checks.ended_group,
    checks.outcome,
    stays.left_at,
    stays.reason,
    ci_runs.base_ref,
    ci_runs.queue_name,
    ci_runs.failed_name,
    ci_runs.failed_runner,
    ci_runs.run as ci_run
from checks
left join stays on stays.repository_id = $1 and stays.stay = checks.stay
join subjects on subjects.repository_id = $1 and subjects.number = checks.run
left join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low
where checks.repository_id = $1
    and checks.ended_at >= cast($2 as bigint)
    and checks.ended_at < cast($3 as bigint)
    and checks.outcome in ('CHECKS_FAILED', 'CHECKS_TIMEOUT', 'CHECKS_RETRIED');
