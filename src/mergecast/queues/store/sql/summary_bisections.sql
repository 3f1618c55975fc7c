-- How many bisections started?
{of_two_windows}, starts as (
    select
        bisection_starts.started_at >= cast($2 as bigint) and bisection_starts.started_at < cast($3 as bigint) as is_now,
        kept.queue,
        (bisection_starts.started_at + cast($7 as bigint)) / cast($6 as bigint) as interval_number
    from bisection_starts
    cross join kept -- in this order on SQLite
    where bisection_starts.repository_id = $1
        and kept.group_id = bisection_starts.group_id
        and {in_two_windows bisection_starts.started_at}
), counted as (
    select is_now, queue, interval_number, count(*) as bisections
    from starts
    group by 1, 2, 3
)
select
    is_now as "is_now [boolean]",
    case when level = 1 then queue end as queue,
    case when level = 2 then interval_number end as interval_number,
    cast(sum(bisections) as bigint) as bisections
from counted
{levels}
group by 1, 2, 3
order by 1, 2 nulls first, 3 nulls first;
