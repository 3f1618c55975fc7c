-- How many CI runs ended, with any outcome, and how long did they take together?
{of_two_windows}, by_queue as (
    select distinct
        runs.ended_at >= $2::bigint and runs.ended_at < $3::bigint as is_now,
        kept.queue,
        runs.run,
        (runs.ended_at + $7::bigint) / $6::bigint as interval_number,
        greatest(runs.ended_at - coalesce(runs.started_at, runs.ended_at), 0) as run_time
    from runs
    join kept on kept.group_id = runs.group_id
    where runs.repository_id = $1
        and {in_two_windows runs.ended_at}
), by_run as (
    select distinct is_now, run, interval_number, run_time from by_queue
)
select is_now, queue, null::bigint as interval_number, count(*) as runs, sum(run_time) as total
from by_queue
group by is_now, queue
union all
select is_now, null::integer as queue, interval_number, count(*) as runs, sum(run_time) as total
from by_run
group by grouping sets ((is_now), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
