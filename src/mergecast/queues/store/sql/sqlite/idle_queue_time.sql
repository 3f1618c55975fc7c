-- What did pull requests wait for in the queue? A row without an interval covers the whole group.
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
-- The values of a group are those of its intervals, one list after the other.
with intervals as materialized (
    select
        left_group as group_id,
        (left_at + $6) / $5 as interval_number,
        count(*) as stays,
        json_group_array(idle_capacity) as capacity,
        json_group_array(idle_schedule) as schedule,
        json_group_array(idle_freeze) as freeze,
        json_group_array(ci_runtime) as ci
    from stays
    where repository_id = $1
        and left_at >= $2
        and left_at < $3
        and queue_time is not null
        and left_group {among $4 integer}
    group by 1, 2
)
select
    group_id,
    null as interval_number,
    sum(stays) as stays,
    figures(replace(group_concat(capacity), '],[', ',')) as "capacity [list]",
    figures(replace(group_concat(schedule), '],[', ',')) as "schedule [list]",
    figures(replace(group_concat(freeze), '],[', ',')) as "freeze [list]",
    figures(replace(group_concat(ci), '],[', ',')) as "ci [list]"
from intervals
group by group_id
union all
select group_id, interval_number, stays, figures(capacity), figures(schedule), figures(freeze), figures(ci)
from intervals
order by 1, 2 nulls first;
