-- How long had CI runs taken that were stopped because of a pull request ahead of them?
-- $1 repository, $2 start, $3 end
select
    groups.base_ref,
    checks.ended_at,
    sum(greatest(checks.ended_at - checks.started_at, 0)) as lost
from checks
join groups on groups.repository_id = $1 and groups.group_id = checks.ended_group
where checks.repository_id = $1
    and checks.ended_at >= $2::bigint
    and checks.ended_at < $3::bigint
    and checks.started_at is not null
    and checks.outcome in ('BATCH_AHEAD_FAILED', 'PR_AHEAD_DEQUEUED')
group by groups.base_ref, checks.ended_at;
