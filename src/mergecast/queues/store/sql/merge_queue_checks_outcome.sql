-- How did the checks end that ended in the window?
-- $1 repository, $2 start, $3 end, $4 groups
select
    ended_group as group_id,
    outcome {bytewise} as outcome,
    count(*) as checks
from checks
where repository_id = $1
    and ended_at >= cast($2 as bigint)
    and ended_at < cast($3 as bigint)
    and ended_group {among $4 integer}
group by 1, 2
order by 1, 2;
