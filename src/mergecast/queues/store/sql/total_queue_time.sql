-- How long did pull requests stay that left in the window?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    left_group as group_id,
    (left_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as stays,
    {sum queue_time} as total,
    max(queue_time) as longest,
    min(queue_time) as shortest,
    {percentiles 0.5 0.9 0.95 0.99 of queue_time} as "percentiles [list]"
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and queue_time is not null
    and left_group {among $4 integer}
group by 1, 2
order by 1, 2;
