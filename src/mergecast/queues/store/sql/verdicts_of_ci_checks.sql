-- How did required checks end in all CI runs of these batches, when first, and after how long at most?
-- $1 repository, $2 ids of batches, $3 checks; null for all, $4 how many
select
    ci_runs.batch_id,
    ci_runs.attempt,
    names.text,
    ci_checks.conclusion,
    min(ci_checks.placed_at),
    max(ci_checks.ended_at - ci_checks.started_at)
from ci_runs
join ci_checks
    on ci_checks.repository_id = $1
    and ci_checks.run = ci_runs.run
    and ci_checks.conclusion in ('success', 'failure', 'timed_out', 'cancelled')
    and ci_checks.is_required is not false
join ci_texts as names
    on names.repository_id = $1
    and names.number = ci_checks.name
where ci_runs.repository_id = $1
    and ci_runs.batch_id {among $2 text}
    and ({list $3 text} is null or names.text {among $3 text})
group by 1, 2, 3, 4
limit cast($4 as bigint);
