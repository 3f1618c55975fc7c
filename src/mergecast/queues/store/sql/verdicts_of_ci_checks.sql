-- Which required checks passed or failed in all CI runs of these batches, and when first?
-- $1 repository, $2 ids of batches, $3 how many
select
    ci_runs.batch_id,
    ci_runs.attempt,
    names.text,
    ci_checks.conclusion <> 'success' as "has_failed [boolean]",
    min(ci_checks.placed_at)
from ci_runs
join ci_checks
    on ci_checks.repository_id = $1
    and ci_checks.run = ci_runs.run
    and ci_checks.conclusion in ('success', 'failure', 'timed_out')
    and ci_checks.is_required is not false
join ci_texts as names
    on names.repository_id = $1
    and names.number = ci_checks.name
where ci_runs.repository_id = $1
    and ci_runs.batch_id {among $2 text}
group by 1, 2, 3, 4
limit cast($3 as bigint);
