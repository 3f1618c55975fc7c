-- What did pull requests wait for in the queue? A row without an interval covers the whole group.
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
with exits as (
    select
        left_group as group_id,
        (left_at + $6::bigint) / $5::bigint as interval_number,
        idle_capacity,
        idle_schedule,
        idle_freeze,
        ci_runtime
    from stays
    where repository_id = $1
        and left_at >= $2::bigint
        and left_at < $3::bigint
        and queue_time is not null
        and left_group in (select unnest($4::integer[]))
)
select
    group_id,
    interval_number,
    count(*) as stays,
    sum(idle_capacity),
    sum(idle_schedule),
    sum(idle_freeze),
    sum(ci_runtime),
    percentile_cont(0.95) within group (order by idle_capacity),
    percentile_cont(0.95) within group (order by idle_schedule),
    percentile_cont(0.95) within group (order by idle_freeze),
    percentile_cont(0.95) within group (order by ci_runtime),
    max(idle_capacity),
    max(idle_schedule),
    max(idle_freeze),
    max(ci_runtime)
from exits
group by grouping sets ((group_id, interval_number), (group_id))
order by group_id, interval_number nulls first;
