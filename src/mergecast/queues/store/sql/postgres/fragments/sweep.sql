-- The sweep over `spans` (group_id, span_start, span_end), which lie within the observed period.
-- $2 start, $3 end, $5 width of an interval, $6 shift of the intervals
--
-- Every start and end of a span is an edge. Edges are sorted by group and instant; the sum of the changes so
-- far is the level that holds until the next edge. The changes of a group add up to zero at its end, so that
-- one sum can run through all groups. Edges without a change stand at the bounds of the intervals and cut the
-- steps there; the last one ends the group.
bounds as (
    select cast($2 as bigint) as instant
    union all
    select cast($3 as bigint)
    union all
    select number * cast($5 as bigint) - cast($6 as bigint)
    from generate_series(
        (cast($2 as bigint) + cast($6 as bigint)) / cast($5 as bigint) + 1, (cast($3 as bigint) + cast($6 as bigint) - 1) / cast($5 as bigint)
    ) as numbers(number)
),
edges as (
    select group_id, span_start as instant, 1 as change from spans
    union all
    select group_id, span_end, -1 from spans
    union all
    select present.group_id, bounds.instant, 0
    from (select distinct group_id from spans) as present
    cross join bounds
),
steps as (
    select
        group_id,
        instant,
        sum(change) over sweep as level,
        lead(instant) over sweep as next_instant
    from edges
    window sweep as (order by group_id, instant rows unbounded preceding)
)
select
    group_id,
    (instant + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    sum(level * (next_instant - instant)) as level_by_time,
    sum(next_instant - instant) as observed,
    cast(max(level) as bigint) as highest,
    cast(min(level) as bigint) as lowest
from steps
where next_instant > instant
    and instant < cast($3 as bigint)
group by 1, 2
order by 1, 2;
