-- How many CI runs started, and how many pull requests were in their batches?
{of_two_windows}, by_queue as (
    select distinct
        runs.started_at >= cast($2 as bigint) and runs.started_at < cast($3 as bigint) as is_now,
        kept.queue,
        runs.run,
        (runs.started_at + cast($7 as bigint)) / cast($6 as bigint) as interval_number,
        runs.batch_size
    from runs
    cross join kept -- in this order on SQLite
    where runs.repository_id = $1
        and kept.group_id = runs.group_id
        and {in_two_windows runs.started_at}
        and runs.has_start
), by_run as (
    select distinct is_now, run, interval_number, batch_size from by_queue
)
select is_now as "is_now [boolean]", queue, cast(null as bigint) as interval_number, count(*) as runs, {sum batch_size} as total
from by_queue
group by is_now, queue
union all
select is_now, cast(null as integer), cast(null as bigint), count(*), {sum batch_size}
from by_run
group by is_now
union all
select is_now, cast(null as integer), interval_number, count(*), {sum batch_size}
from by_run
group by is_now, interval_number
order by 1, 2 nulls first, 3 nulls first;
