-- How many pull requests entered a queue?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    entered_group as group_id,
    (entered_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as entered
from stays
where repository_id = $1
    and entered_at >= cast($2 as bigint)
    and entered_at < cast($3 as bigint)
    and entered_group {among $4 integer}
group by 1, 2
order by 1, 2;
