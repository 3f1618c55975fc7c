-- In each hour, how many pull requests left, failed CI and were merged, and how many seconds did the merged ones stay?
-- $1 repository, $2 start, $3 end, $4 groups
select
    left_at / 3600000000 as hour,
    count(*) as exits,
    count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures,
    count(*) filter (where reason in ({merged_reasons})) as merges,
    {sorted queue_time / 1000000 where reason in ({merged_reasons}) and queue_time is not null}
        as "seconds [sorted]"
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and left_group {among $4 integer}
group by 1
order by 1;
