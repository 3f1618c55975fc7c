-- On each day, how long did the CI runs take that passed?
-- $1 repository, $2 start, $3 end, $4 groups
with passed as (
    select run, min(started_at) as started_at, max(ended_at) as ended_at
    from checks
    where repository_id = $1
        and ended_at >= $2::bigint
        and ended_at < $3::bigint
        and ended_group in (select unnest($4::integer[]))
        and outcome = 'SUCCESS'
    group by run
)
select
    ended_at / 86400000000 as day,
    percentile_cont(0.5) within group (order by greatest(ended_at - started_at, 0)) as median
from passed
where started_at is not null
group by 1
order by 1;
