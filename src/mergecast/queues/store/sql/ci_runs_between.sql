-- Which CI runs of pull requests that entered later began on base branches during some spans?
-- $1 repository, $2 the number of each span, $3 its base branch, $4 the entry, $5 its start and $6 its end
-- A run that ended more than a day after the span is not looked for.
select distinct spans.span, ci_runs.run
from {given $2 bigint span, $3 text base_ref, $4 bigint entered_at, $5 bigint start_at, $6 bigint end_at} as spans
join checks
    on checks.repository_id = $1
    and checks.ended_at > spans.start_at
    and checks.ended_at < spans.end_at + 86400000000
    and checks.started_at > spans.start_at
    and checks.started_at < spans.end_at
join groups
    on groups.repository_id = $1
    and groups.group_id = checks.started_group
    and groups.base_ref = spans.base_ref
join stays
    on stays.repository_id = $1
    and stays.stay = checks.stay
    and stays.entered_at > spans.entered_at
join subjects on subjects.repository_id = $1 and subjects.number = checks.run
join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low
order by 1, 2;
