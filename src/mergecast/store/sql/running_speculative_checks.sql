-- How many CI runs were under way, from instant to instant?
-- $1 repository, $2 start and $3 end of what is observed, $4 groups, $5 width of an interval, $6 shift
--
-- The same sweep as for queue_size. A queue of a base ref stands here under its smallest group id, since
-- a run counts once there whatever priority rules its pull requests have.
with places as (
    select
        group_id,
        min(group_id) over (partition by base_ref, queue_name) as place
    from groups
    where repository_id = $1
        and group_id in (select unnest($4::integer[]))
),
spans as (
    select
        places.place as group_id,
        greatest(min(runs.started_at), $2::bigint) as span_start,
        least(coalesce(min(runs.ended_at), $3::bigint), $3::bigint) as span_end
    from runs
    join places on places.group_id = runs.group_id
    where runs.repository_id = $1
        and runs.has_start
        and runs.started_at < $3::bigint
        and (runs.ended_at is null or (runs.ended_at > $2::bigint and runs.ended_at > runs.started_at))
    group by places.place, runs.run
),
bounds as (
    select unnest(array[$2::bigint, $3::bigint]) as instant
    union all
    select number * $5::bigint - $6::bigint
    from generate_series(
        ($2::bigint + $6::bigint) / $5::bigint + 1, ($3::bigint + $6::bigint - 1) / $5::bigint
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
        sum(change) over sweep as running,
        lead(instant) over sweep as next_instant
    from edges
    window sweep as (order by group_id, instant rows unbounded preceding)
)
select
    group_id,
    (instant + $6::bigint) / $5::bigint as interval_number,
    sum(running * (next_instant - instant)) as running_by_time,
    sum(next_instant - instant) as observed,
    max(running)::bigint as most,
    min(running)::bigint as fewest
from steps
where next_instant > instant
    and instant < $3::bigint
group by 1, 2
order by 1, 2;
