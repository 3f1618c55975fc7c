-- Which batches were split since an instant? The last column has the numbers of their pull requests.
-- $1 repository, $2 the instant
with members as (
    select run, depth, min(batch_pull_requests {bytewise}) as batch_pull_requests
    from events
    where repository_id = $1
        and group_id in (select group_id from groups where repository_id = $1)
        and type = 'bisection_started'
        and happened_at >= cast($2 as bigint)
    group by run, depth
)

select
    groups.base_ref,
    groups.queue_name,
    bisection_starts.bisection,
    bisection_starts.depth,
    bisection_starts.started_at,
    bisection_ends.ended_at,
    members.batch_pull_requests
from bisection_starts
join groups on groups.repository_id = $1 and groups.group_id = bisection_starts.group_id
left join bisection_ends
    on bisection_ends.repository_id = $1 and bisection_ends.bisection = bisection_starts.bisection
left join members
    on members.run = bisection_starts.bisection and members.depth = bisection_starts.depth
where bisection_starts.repository_id = $1 and bisection_starts.started_at >= cast($2 as bigint)
order by bisection_starts.started_at, bisection_starts.bisection, bisection_starts.depth;
