-- Which required checks were cancelled in these CI runs, which were removed for failed checks although none failed?
-- $1 repository, $2 numbers of the runs among the subjects
with removed as (
    select run, min(ended_at) as ended_at
    from checks
    where repository_id = $1
        and run {among $2 bigint}
        and outcome in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')
    group by run
)
select
    removed.run as number,
    ci_checks.base_ref,
    ci_checks.queue_name,
    ci_checks.name,
    ci_checks.runner,
    ci_checks.placed_at,
    ci_checks.run,
    ci_runs.recovered,
    ci_checks.queued_at,
    ci_checks.started_at,
    ci_checks.ended_at,
    ci_checks.check_id,
    ci_checks.url,
    ci_runs.batch_id,
    ci_runs.attempt,
    names.text
from removed
join subjects on subjects.repository_id = $1 and subjects.number = removed.run
join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low
    and ci_runs.failed_name is null
join ci_checks
    on ci_checks.repository_id = $1
    and ci_checks.run = ci_runs.run
    and ci_checks.conclusion = 'cancelled'
    and ci_checks.is_required is not false
    and ci_checks.placed_at <= removed.ended_at + 1000000
join ci_texts as names
    on names.repository_id = $1
    and names.number = ci_checks.name
left join ci_checks as passed
    on passed.repository_id = $1
    and passed.run = ci_checks.run
    and passed.name = ci_checks.name
    and passed.conclusion = 'success'
where passed.run is null
order by ci_checks.placed_at, ci_checks.run, ci_checks.name, ci_checks.check_id {bytewise};
