-- How many bisections ended, and how?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    group_id,
    (ended_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as bisections,
    count(*) filter (where culprit_found) as culprits,
    count(*) filter (where max_failures_reached) as given_up
from bisection_ends
where repository_id = $1
    and ended_at >= cast($2 as bigint)
    and ended_at < cast($3 as bigint)
    and group_id {among $4 integer}
group by 1, 2
order by 1, 2;
