-- In each hour, how many CI runs ended, with any outcome?
-- $1 repository, $2 start, $3 end, $4 groups
select
    ended_at / 3600000000 as hour,
    count(distinct run) as runs
from runs
where repository_id = $1
    and ended_at >= cast($2 as bigint)
    and ended_at < cast($3 as bigint)
    and group_id {among $4 integer}
group by 1
order by 1;
