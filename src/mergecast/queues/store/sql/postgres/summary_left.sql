-- How did pull requests leave, how long did they stay, and what did they wait for?
-- What a stay waited for is null if its duration is.
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
)
select
    is_now as "is_now [boolean]",
    case when level = 1 then queue end as queue,
    case when level = 2 then interval_number end as interval_number,
    count(*) as exits,
    count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures,
    count(*) filter (where reason in ({merged_reasons})) as merged,
    sum(retries) as retries,
    count(*) filter (where retries > 0) as retried,
    count(queue_time) as stays,
    {percentiles 0.5 0.9 0.95 0.99 of queue_time where queue_time is not null} as "percentiles [list]",
    count(queue_time) filter (where reason in ({merged_reasons})) as merged_stays,
    {percentiles 0.5 0.9 0.95 0.99 of queue_time where queue_time is not null and reason in ({merged_reasons})}
        as "merged_percentiles [list]",
    {sum ci_runtime} as ci,
    {sum idle_capacity} as capacity,
    {sum idle_schedule} as schedule,
    {sum idle_freeze} as freezes
from exits
{levels}
group by 1, 2, 3
order by 1, 2 nulls first, 3 nulls first;
