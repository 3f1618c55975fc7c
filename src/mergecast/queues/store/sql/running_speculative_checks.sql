-- How many CI runs were in progress, from instant to instant?
-- $1 repository, $2 start and $3 end of the observed period, $4 groups, $5 width of an interval, $6 shift
--
-- A run counts once per base ref and queue, whatever priority rules its pull requests have: all groups of
-- a base ref and queue appear here under the smallest of their ids.
with places as (
    select
        group_id,
        min(group_id) over (partition by base_ref, queue_name) as place
    from groups
    where repository_id = $1
        and group_id {among $4 integer}
),
counted as (
    select run, group_id, started_at, ended_at
    from runs
    where repository_id = $1
        and has_start
        and started_at < cast($3 as bigint)
        and ended_at > started_at
        and ended_at > cast($2 as bigint)
        and ended_at <= 9223372036854775807 -- SQLite prefers an index with both bounds
    union all
    select run, group_id, started_at, ended_at
    from runs
    where repository_id = $1
        and has_start
        and started_at < cast($3 as bigint)
        and ended_at is null
),
spans as (
    select
        places.place as group_id,
        case when min(started_at) > cast($2 as bigint) then min(started_at) else cast($2 as bigint) end as span_start,
        case when min(ended_at) < cast($3 as bigint) then min(ended_at) else cast($3 as bigint) end as span_end
    from counted
    cross join places -- in this order on SQLite
    where places.group_id = counted.group_id
    group by places.place, counted.run
),
{sweep}
