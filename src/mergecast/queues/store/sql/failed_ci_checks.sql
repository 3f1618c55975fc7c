-- Which required checks failed in CI runs of a period, and which of these passed in the same run? When each did so first.
-- $1 repository, $2 start, $3 end, $4 how many; the last
with failed as (
    select distinct ci_checks.run, ci_checks.name
    from ci_checks
    where ci_checks.repository_id = $1
        and ci_checks.placed_at >= cast($2 as bigint)
        and ci_checks.placed_at < cast($3 as bigint)
        and ci_checks.conclusion in ('failure', 'timed_out')
        and ci_checks.is_required is not false
)

select
    ci_runs.batch_id,
    ci_runs.attempt,
    names.text,
    min(ci_checks.placed_at),
    ci_checks.conclusion <> 'success' as "has_failed [boolean]"
from failed
join ci_checks
    on ci_checks.repository_id = $1
    and ci_checks.run = failed.run
    and ci_checks.name = failed.name
    and ci_checks.conclusion in ('success', 'failure', 'timed_out')
    and ci_checks.is_required is not false
join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.run = failed.run
join ci_texts as names
    on names.repository_id = $1
    and names.number = failed.name
group by 1, 2, 3, 5
order by 4 desc, ci_runs.batch_id {bytewise}, 2, names.text {bytewise}, 5
limit cast($4 as bigint);
