-- How did pull requests leave, how long did they stay, and what did they wait for?
-- What a stay waited for is null if its duration is.
{of_two_windows}, exits as (
    select
        stays.left_at >= $2::bigint and stays.left_at < $3::bigint as is_now,
        kept.queue,
        (stays.left_at + $7::bigint) / $6::bigint as interval_number,
        stays.reason,
        stays.retries,
        stays.queue_time,
        stays.ci_runtime,
        stays.idle_capacity,
        stays.idle_schedule,
        stays.idle_freeze
    from stays
    join kept on kept.group_id = stays.left_group
    where stays.repository_id = $1
        and {in_two_windows stays.left_at}
)
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
    percentile_cont(array[0.5, 0.9, 0.95, 0.99]) within group (order by queue_time) as percentiles,
    count(queue_time) filter (where reason in ({merged_reasons})) as merged_stays,
    percentile_cont(array[0.5, 0.9, 0.95, 0.99]) within group (order by queue_time)
        filter (where reason in ({merged_reasons})) as merged_percentiles,
    sum(ci_runtime) as ci,
    sum(idle_capacity) as capacity,
    sum(idle_schedule) as schedule,
    sum(idle_freeze) as freezes
from exits
group by grouping sets ((is_now), (is_now, queue), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
