-- What did pull requests wait for in the queue? A row without an interval covers the whole group.
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
with exits as (
    select
        left_group as group_id,
        (left_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
        idle_capacity,
        idle_schedule,
        idle_freeze,
        ci_runtime
    from stays
    where repository_id = $1
        and left_at >= cast($2 as bigint)
        and left_at < cast($3 as bigint)
        and queue_time is not null
        and left_group {among $4 integer}
)
select
    group_id,
    case when level = 2 then interval_number end as interval_number,
    count(*) as stays,
    json_build_array(sum(idle_capacity), percentile_cont(0.95) within group (order by idle_capacity), max(idle_capacity)) as capacity,
    json_build_array(sum(idle_schedule), percentile_cont(0.95) within group (order by idle_schedule), max(idle_schedule)) as schedule,
    json_build_array(sum(idle_freeze), percentile_cont(0.95) within group (order by idle_freeze), max(idle_freeze)) as freeze,
    json_build_array(sum(ci_runtime), percentile_cont(0.95) within group (order by ci_runtime), max(ci_runtime)) as ci
from exits
{levels}
where level <> 1
group by 1, 2
order by 1, 2 nulls first;
