-- How many bisections started?
-- $1 repository, $2 start, $3 end, $4 groups, $5 the queue of each group, $6 width of an interval, $7 shift of the intervals,
-- $8 start and $9 end of the window to compare with, which does not overlap the other
-- Rows of each window, if there is anything in it: the whole (no queue, no interval), each queue, each interval.
with kept as (
    select unnest($4::integer[]) as group_id, unnest($5::integer[]) as queue
), starts as (
    select
        bisection_starts.started_at >= $2::bigint and bisection_starts.started_at < $3::bigint as is_now,
        kept.queue,
        (bisection_starts.started_at + $7::bigint) / $6::bigint as interval_number
    from bisection_starts
    join kept on kept.group_id = bisection_starts.group_id
    where bisection_starts.repository_id = $1
        and bisection_starts.started_at >= least($2::bigint, $8::bigint)
        and bisection_starts.started_at < greatest($3::bigint, $9::bigint)
        and ((bisection_starts.started_at >= $2::bigint and bisection_starts.started_at < $3::bigint) or (bisection_starts.started_at >= $8::bigint and bisection_starts.started_at < $9::bigint))
)
select
    is_now,
    queue,
    interval_number,
    count(*) as bisections
from starts
group by grouping sets ((is_now), (is_now, queue), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
