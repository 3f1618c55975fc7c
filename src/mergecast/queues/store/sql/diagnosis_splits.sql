-- Which batches were split since an instant?
-- $1 repository, $2 the instant
select
    groups.base_ref,
    groups.queue_name,
    bisection_starts.bisection,
    bisection_starts.depth,
    bisection_starts.started_at,
    bisection_ends.ended_at
from bisection_starts
join groups on groups.repository_id = $1 and groups.group_id = bisection_starts.group_id
left join bisection_ends
    on bisection_ends.repository_id = $1 and bisection_ends.bisection = bisection_starts.bisection
where bisection_starts.repository_id = $1 and bisection_starts.started_at >= $2::bigint
order by bisection_starts.started_at, bisection_starts.bisection, bisection_starts.depth;
