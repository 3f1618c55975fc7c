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
    {sum idle_capacity},
    {sum idle_schedule},
    {sum idle_freeze},
    {sum ci_runtime},
    {percentile 0.95 of idle_capacity},
    {percentile 0.95 of idle_schedule},
    {percentile 0.95 of idle_freeze},
    {percentile 0.95 of ci_runtime},
    max(idle_capacity),
    max(idle_schedule),
    max(idle_freeze),
    max(ci_runtime)
from exits
{levels}
where level <> 1
group by 1, 2
order by 1, 2 nulls first;
