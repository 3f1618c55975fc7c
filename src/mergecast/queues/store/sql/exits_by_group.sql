-- In a window, how many pull requests left from each group, failed CI and were merged?
-- $1 repository, $2 start, $3 end
select
    left_group,
    count(*) as exits,
    count(*) filter (where reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')) as failures,
    count(*) filter (where reason in ({merged_reasons})) as merges
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and left_group is not null
group by left_group
order by left_group;
