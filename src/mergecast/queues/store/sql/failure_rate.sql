-- How many of the pull requests that left had failed CI?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    left_group as group_id,
    (left_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as exits,
    count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and left_group {among $4 integer}
group by 1, 2
order by 1, 2;
