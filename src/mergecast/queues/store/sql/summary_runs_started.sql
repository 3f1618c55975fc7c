-- How many CI runs started, and how many pull requests were in their batches?
{of_two_windows}, by_queue as (
    select distinct
        runs.started_at >= $2::bigint and runs.started_at < $3::bigint as is_now,
        kept.queue,
        runs.run,
        (runs.started_at + $7::bigint) / $6::bigint as interval_number,
        runs.batch_size
    from runs
    join kept on kept.group_id = runs.group_id
    where runs.repository_id = $1
        and {in_two_windows runs.started_at}
        and runs.has_start
), by_run as (
    select distinct is_now, run, interval_number, batch_size from by_queue
)
select is_now, queue, null::bigint as interval_number, count(*) as runs, sum(batch_size) as total
from by_queue
group by is_now, queue
union all
select is_now, null::integer as queue, interval_number, count(*) as runs, sum(batch_size) as total
from by_run
group by grouping sets ((is_now), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
