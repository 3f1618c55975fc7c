-- Which stays ended in the window, and how long did they last?
-- $1 repository, $2 start, $3 end, $4 groups, $5 whether to sort by duration (or by the end), $6 1 for rising, -1
-- for falling, $7 how many
with ended as (
    select
        stay,
        pull_request,
        entered_at,
        left_at,
        left_group,
        reason,
        queue_time,
        ci_runtime,
        idle_capacity,
        idle_schedule,
        idle_freeze,
        retries,
        head_sha,
        (case when cast($5 as boolean) then queue_time else left_at end) * cast($6 as bigint) as place,
        count(*) over () as total
    from stays
    where repository_id = $1
        and left_at >= cast($2 as bigint)
        and left_at < cast($3 as bigint)
        and left_group {among $4 integer}
    order by place nulls last, left_at * cast($6 as bigint), stay
    limit cast($7 as bigint)
),
exits as (
    select
        stay,
        session_id,
        pull_request,
        row_number() over (partition by stay order by happened_at, id {bytewise}) as place
    from events
    where repository_id = $1
        and type = 'queue_left'
        and happened_at >= cast($2 as bigint)
        and happened_at < cast($3 as bigint)
        and stay {among ended.stay}
)
select
    ended.total,
    ended.left_group,
    exits.session_id,
    coalesce(ended.pull_request, exits.pull_request) as pull_request,
    ended.entered_at,
    ended.left_at,
    ended.reason,
    ended.queue_time,
    ended.ci_runtime,
    ended.idle_capacity,
    ended.idle_schedule,
    ended.idle_freeze,
    ended.retries,
    ended.head_sha
from ended
cross join exits -- in this order on SQLite
where exits.stay = ended.stay
    and exits.place = 1
order by ended.place nulls last, ended.left_at * cast($6 as bigint), ended.stay;
