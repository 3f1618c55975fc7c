-- How long did pull requests stay that left in the window?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    left_group as group_id,
    (left_at + $6::bigint) / $5::bigint as interval_number,
    count(*) as stays,
    sum(queue_time) as total,
    array[max(queue_time), min(queue_time)] as extremes,
    percentile_cont(array[0.5, 0.9, 0.95, 0.99]) within group (order by queue_time) as percentiles
from stays
where repository_id = $1
    and left_at >= $2::bigint
    and left_at < $3::bigint
    and queue_time is not null
    and left_group in (select unnest($4::integer[]))
group by 1, 2
order by 1, 2;
