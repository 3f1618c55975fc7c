-- How did pull requests leave the queues of some repositories, and how long did they stay?
-- $1 repositories, $2 start, $3 end, $4 start of the window before, $5 width of an interval
-- Rows of each repository and window: the whole (no group, no interval), each group, each interval.
select
    repository_id,
    left_at >= $2::bigint as is_now,
    left_group,
    (left_at - $4::bigint) / $5::bigint as interval_number,
    count(*) as exits,
    count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures,
    count(*) filter (where reason in ({merged_reasons})) as merged,
    count(queue_time) as stays,
    percentile_cont(array[0.5, 0.95]) within group (order by queue_time) as percentiles
from stays
where repository_id = any($1::integer[])
    and left_at >= $4::bigint
    and left_at < $3::bigint
group by grouping sets ((1, 2), (1, 2, 3), (1, 2, 4))
order by 1, 2, 3 nulls first, 4 nulls first;
