-- How long did the CI runs take that ended in the window with a verdict?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    group_id,
    (ended_at + $6::bigint) / $5::bigint as interval_number,
    count(*) as runs,
    sum(greatest(ended_at - started_at, 0)) as total,
    percentile_cont(array[0.5, 0.9, 0.95, 0.99]) within group (
        order by greatest(ended_at - started_at, 0)
    ) as percentiles
from runs
where repository_id = $1
    and ended_at >= $2::bigint
    and ended_at < $3::bigint
    and has_verdict
    and started_at is not null
    and group_id in (select unnest($4::integer[]))
group by 1, 2
order by 1, 2;
