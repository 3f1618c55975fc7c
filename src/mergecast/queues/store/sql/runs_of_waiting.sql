-- Which CI runs have these pull requests had in stays that have not ended? In the order of their starts.
-- $1 repository, $2 pull requests
select
    stays.pull_request,
    stays.entered_at,
    checks.ended_at,
    checks.outcome
from stays
join checks
    on checks.repository_id = $1
    and checks.stay = stays.stay
where stays.repository_id = $1
    and stays.left_at is null
    and stays.pull_request in (select unnest($2::bigint[]))
order by coalesce(checks.started_at, checks.ended_at), checks.run;
