-- How did pull requests leave the queues of some repositories, and how long did they stay?
-- $1 repositories, $2 start, $3 end, $4 start of the window before, $5 width of an interval
-- Rows of each repository and window: the whole (no group, no interval), each group, each interval.
select
    repository_id,
    left_at >= cast($2 as bigint) as "is_now [boolean]",
    case when level = 1 then left_group end as left_group,
    case when level = 2 then (left_at - cast($4 as bigint)) / cast($5 as bigint) end as interval_number,
    count(*) as exits,
    count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures,
    count(*) filter (where reason in ({merged_reasons})) as merged,
    count(queue_time) as stays,
    {percentiles 0.5 0.95 of queue_time where queue_time is not null} as "percentiles [list]"
from stays
{levels}
where repository_id {among $1 integer}
    and left_at >= cast($4 as bigint)
    and left_at < cast($3 as bigint)
group by 1, 2, 3, 4
order by 1, 2, 3 nulls first, 4 nulls first;
