-- How many bisections started?
{of_two_windows}, starts as (
    select
        bisection_starts.started_at >= $2::bigint and bisection_starts.started_at < $3::bigint as is_now,
        kept.queue,
        (bisection_starts.started_at + $7::bigint) / $6::bigint as interval_number
    from bisection_starts
    join kept on kept.group_id = bisection_starts.group_id
    where bisection_starts.repository_id = $1
        and {in_two_windows bisection_starts.started_at}
)
select
    is_now,
    queue,
    interval_number,
    count(*) as bisections
from starts
group by grouping sets ((is_now), (is_now, queue), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
