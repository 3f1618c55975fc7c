-- How many CI runs ended, and how many of them have reports?
-- $1 repository, $2 start, $3 end, $4 groups
with ended as (
    select distinct run
    from runs
    where repository_id = $1
        and ended_at >= cast($2 as bigint)
        and ended_at < cast($3 as bigint)
        and group_id {among $4 integer}
)
select count(*) as runs, count(ci_runs.run) as covered
from ended
join subjects on subjects.repository_id = $1 and subjects.number = ended.run
left join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low;
