-- The last failures of a check, the newest first.
-- $1 repository, $2 start, $3 end, $4 check, $5 base branches and $6 queues; null for all, $7 how many
select
    ci_checks.placed_at,
    ci_checks.conclusion,
    ci_checks.check_id,
    ci_checks.url,
    ci_checks.runner,
    ci_checks.base_ref,
    ci_checks.queue_name,
    ci_checks.run,
    ci_runs.batch_id,
    ci_runs.attempt,
    subjects.number
from ci_checks
join ci_runs on ci_runs.repository_id = $1 and ci_runs.run = ci_checks.run
left join subjects
    on subjects.repository_id = $1
    and subjects.key_high = ci_runs.key_high
    and subjects.key_low = ci_runs.key_low
where ci_checks.repository_id = $1
    and ci_checks.placed_at >= cast($2 as bigint)
    and ci_checks.placed_at < cast($3 as bigint)
    and ci_checks.conclusion in ('failure', 'timed_out')
    and ci_checks.name = cast($4 as integer)
    and ({list $5 integer} is null or ci_checks.base_ref {among $5 integer})
    and ({list $6 integer} is null or ci_checks.queue_name {among $6 integer})
order by ci_checks.placed_at desc, ci_checks.run desc, ci_checks.check_id {bytewise}
limit cast($7 as bigint);
