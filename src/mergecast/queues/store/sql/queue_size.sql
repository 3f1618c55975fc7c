-- How many pull requests were in the queue, from instant to instant?
-- $1 repository, $2 start and $3 end of the observed period, $4 groups, $5 width of an interval, $6 shift
--
-- A stay that has not left ends when the same pull request enters the same base ref and queue again. Each such
-- base ref and queue is a place, known by the smallest id of its groups.
with places as (
    select
        group_id,
        min(group_id) over (partition by base_ref, queue_name) as place
    from groups
    where repository_id = $1
),
open_stays as (
    select pull_request
    from stays
    where repository_id = $1
        and left_at is null
        and entered_at < cast($3 as bigint)
),
entries as (
    select
        stays.entered_group,
        stays.pull_request,
        stays.entered_at,
        stays.left_at,
        places.place,
        lead(stays.entered_at) over (
            partition by places.place, stays.pull_request order by stays.entered_at
        ) as following
    from stays
    join places on places.group_id = stays.entered_group
    where stays.repository_id = $1
        and stays.pull_request {among open_stays.pull_request}
),
followed as (
    -- Of several entries in one instant, only the last is followed by a later one.
    select
        *,
        nullif(
            max(following) over (partition by place, pull_request, entered_at), entered_at
        ) as next_at
    from entries
),
spans as (
    select
        entered_group as group_id,
        case when entered_at > cast($2 as bigint) then entered_at else cast($2 as bigint) end as span_start,
        case when left_at < cast($3 as bigint) then left_at else cast($3 as bigint) end as span_end
    from stays
    where repository_id = $1
        and entered_at < cast($3 as bigint)
        and left_at > cast($2 as bigint)
        and left_at > entered_at
        and entered_group {among $4 integer}
    union all
    select
        entered_group,
        case when entered_at > cast($2 as bigint) then entered_at else cast($2 as bigint) end,
        case when next_at < cast($3 as bigint) then next_at else cast($3 as bigint) end
    from followed
    where left_at is null
        and entered_at < cast($3 as bigint)
        and coalesce(next_at, cast($3 as bigint)) > cast($2 as bigint)
        and entered_group {among $4 integer}
),
{sweep}
