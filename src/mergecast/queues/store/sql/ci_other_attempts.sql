-- Which checks failed in a run, and which other attempts were there at the same batch?
-- $1 repository, $2 start, $3 end, $4 check; null for all
with failed as (
    select distinct ci_checks.run, ci_checks.name, ci_runs.batch_id
    from ci_checks
    join ci_runs on ci_runs.repository_id = $1 and ci_runs.run = ci_checks.run
    where ci_checks.repository_id = $1
        and ci_checks.placed_at >= $2::bigint
        and ci_checks.placed_at < $3::bigint
        and ci_checks.conclusion in ('failure', 'timed_out')
        and ($4::integer is null or ci_checks.name = $4::integer)
)
select failed.run, failed.name, ci_runs.run as other
from failed
join ci_runs on ci_runs.repository_id = $1 and ci_runs.batch_id = failed.batch_id
where ci_runs.run <> failed.run;
