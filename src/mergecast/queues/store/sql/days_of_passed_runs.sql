-- On each day, how long did the CI runs take that passed?
-- $1 repository, $2 start, $3 end, $4 groups
with passed as (
    select run, min(started_at) as started_at, max(ended_at) as ended_at
    from checks
    where repository_id = $1
        and ended_at >= cast($2 as bigint)
        and ended_at < cast($3 as bigint)
        and ended_group {among $4 integer}
        and outcome = 'SUCCESS'
    group by run
)
select
    ended_at / 86400000000 as day,
    {percentile 0.5 of case when ended_at > started_at then ended_at - started_at else 0 end} as median
from passed
where started_at is not null
group by 1
order by 1;
