-- Why did pull requests leave a queue?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    left_group as group_id,
    (left_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    case
        when reason in ({merged_reasons}) then 'SUCCESS'
        else reason
    end {bytewise} as exit_reason,
    count(*) as exits
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and left_group {among $4 integer}
group by 1, 2, 3
order by 1, 2, 3;
