-- How did the checks end that ended in the window, interval by interval?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    ended_group as group_id,
    (ended_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    outcome {bytewise} as outcome,
    count(*) as checks
from checks
where repository_id = $1
    and ended_at >= cast($2 as bigint)
    and ended_at < cast($3 as bigint)
    and ended_group {among $4 integer}
group by 1, 2, 3
order by 1, 2, 3;
