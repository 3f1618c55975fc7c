-- How did pull requests leave, how long did they stay, and what did they wait for?
-- What a stay waited for is null if its duration is. The durations of a level are those of its cells, one list after the
-- other.
{of_two_windows}, exits as (
    select
        stays.left_at >= cast($2 as bigint) and stays.left_at < cast($3 as bigint) as is_now,
        kept.queue,
        (stays.left_at + cast($7 as bigint)) / cast($6 as bigint) as interval_number,
        stays.reason,
        stays.retries,
        stays.queue_time,
        stays.ci_runtime,
        stays.idle_capacity,
        stays.idle_schedule,
        stays.idle_freeze
    from stays
    cross join kept -- in this order on SQLite
    where stays.repository_id = $1
        and kept.group_id = stays.left_group
        and {in_two_windows stays.left_at}
), counted as materialized (
    select
        is_now,
        queue,
        interval_number,
        count(*) as exits,
        count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures,
        count(*) filter (where reason in ({merged_reasons})) as merged,
        sum(retries) as retries,
        count(*) filter (where retries > 0) as retried,
        count(queue_time) as stays,
        nullif(json_group_array(queue_time) filter (where queue_time is not null), '[]') as times,
        count(queue_time) filter (where reason in ({merged_reasons})) as merged_stays,
        nullif(
            json_group_array(queue_time) filter (where queue_time is not null and reason in ({merged_reasons})), '[]'
        ) as merged_times,
        sum(ci_runtime >> 32) as ci_runtime_high,
        sum(ci_runtime & 4294967295) as ci_runtime_low,
        sum(idle_capacity >> 32) as idle_capacity_high,
        sum(idle_capacity & 4294967295) as idle_capacity_low,
        sum(idle_schedule >> 32) as idle_schedule_high,
        sum(idle_schedule & 4294967295) as idle_schedule_low,
        sum(idle_freeze >> 32) as idle_freeze_high,
        sum(idle_freeze & 4294967295) as idle_freeze_low
    from exits
    group by 1, 2, 3
)
select
    is_now as "is_now [boolean]",
    case when level = 1 then queue end as queue,
    case when level = 2 then interval_number end as interval_number,
    sum(exits) as exits,
    sum(failures) as failures,
    sum(merged) as merged,
    sum(retries) as retries,
    sum(retried) as retried,
    sum(stays) as stays,
    percentiles(replace(group_concat(times), '],[', ','), 0.5, 0.9, 0.95, 0.99) as "percentiles [list]",
    sum(merged_stays) as merged_stays,
    percentiles(replace(group_concat(merged_times), '],[', ','), 0.5, 0.9, 0.95, 0.99) as "merged_percentiles [list]",
    whole(sum(ci_runtime_high), sum(ci_runtime_low)) as ci,
    whole(sum(idle_capacity_high), sum(idle_capacity_low)) as capacity,
    whole(sum(idle_schedule_high), sum(idle_schedule_low)) as schedule,
    whole(sum(idle_freeze_high), sum(idle_freeze_low)) as freezes
from counted
{levels}
group by 1, 2, 3
order by 1, 2 nulls first, 3 nulls first;
