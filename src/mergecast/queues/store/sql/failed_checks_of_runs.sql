-- Which required check failed first in these CI runs, and where is its log?
-- $1 repository, $2 numbers of the runs
select subjects.number, names.text, min(ci_checks.url {bytewise})
from subjects
join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low
join ci_texts as names
    on names.repository_id = $1
    and names.number = ci_runs.failed_name
left join ci_checks
    on ci_checks.repository_id = $1
    and ci_checks.run = ci_runs.run
    and ci_checks.name = ci_runs.failed_name
    and ci_checks.placed_at = ci_runs.failed_at
where subjects.repository_id = $1
    and subjects.number {among $2 bigint}
group by subjects.number, names.text;
