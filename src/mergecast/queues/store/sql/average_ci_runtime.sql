-- How long did the CI runs take that ended in the window with a verdict?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    group_id,
    (ended_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as runs,
    {sum case when ended_at > started_at then ended_at - started_at else 0 end} as total,
    {percentiles 0.5 0.9 0.95 0.99 of
        case when ended_at > started_at then ended_at - started_at else 0 end} as "percentiles [list]"
from runs
where repository_id = $1
    and ended_at >= cast($2 as bigint)
    and ended_at < cast($3 as bigint)
    and has_verdict
    and started_at is not null
    and group_id {among $4 integer}
group by 1, 2
order by 1, 2;
