-- In each hour, how many seconds had the pull requests stayed that left, merged or not?
-- $1 repository, $2 start, $3 end, $4 groups
select
    left_at / 3600000000 as hour,
    {sorted queue_time / 1000000} as "seconds [sorted]"
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and queue_time is not null
    and left_group {among $4 integer}
group by 1
order by 1;
