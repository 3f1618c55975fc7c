-- Which CI runs of which pull requests were in progress since an instant?
-- $1 repository, $2 the instant, $3 the earliest start that counts
select
    groups.base_ref,
    groups.queue_name,
    checks.run,
    stays.pull_request,
    checks.started_at,
    checks.ended_at,
    checks.outcome
from checks
join groups on groups.repository_id = $1 and groups.group_id = checks.started_group
join stays on stays.repository_id = $1 and stays.stay = checks.stay
where checks.repository_id = $1
    and stays.pull_request is not null
    and checks.started_at >= cast($3 as bigint)
    and (checks.ended_at is null or checks.ended_at >= cast($2 as bigint))
order by checks.run, stays.pull_request, checks.stay;
