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
spans as (
    select
        places.place as group_id,
        case when min(runs.started_at) > cast($2 as bigint) then min(runs.started_at) else cast($2 as bigint) end as span_start,
        case when min(runs.ended_at) < cast($3 as bigint) then min(runs.ended_at) else cast($3 as bigint) end as span_end
    from runs
    join places on places.group_id = runs.group_id
    where runs.repository_id = $1
        and runs.has_start
        and runs.started_at < cast($3 as bigint)
        and (runs.ended_at is null or (runs.ended_at > cast($2 as bigint) and runs.ended_at > runs.started_at))
    group by places.place, runs.run
),
{sweep}
