-- On each day, how long did the checks of CI runs wait for machines?
-- $1 repository, $2 start, $3 end, $4 base branches and $5 queues; null for all
select
    placed_at / 86400000000 as day,
    count(*) as runs,
    {sum waited} as waited
from ci_runs
where repository_id = $1
    and placed_at >= cast($2 as bigint)
    and placed_at < cast($3 as bigint)
    and ({list $4 integer} is null or base_ref {among $4 integer})
    and ({list $5 integer} is null or queue_name {among $5 integer})
group by 1
order by 1;
