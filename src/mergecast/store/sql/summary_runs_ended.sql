-- How many CI runs ended, with any outcome, and how long did they take together?
-- $1 repository, $2 start, $3 end, $4 groups, $5 the queue of each group, $6 width of an interval, $7 shift of the intervals
-- Rows: the whole window (no queue, no interval), each queue, each interval.
with kept as (
    select unnest($4::integer[]) as group_id, unnest($5::integer[]) as queue
), by_queue as (
    select distinct
        kept.queue,
        runs.run,
        (runs.ended_at + $7::bigint) / $6::bigint as interval_number,
        greatest(runs.ended_at - coalesce(runs.started_at, runs.ended_at), 0) as run_time
    from runs
    join kept on kept.group_id = runs.group_id
    where runs.repository_id = $1
        and runs.ended_at >= $2::bigint
        and runs.ended_at < $3::bigint
), by_run as (
    select distinct run, interval_number, run_time from by_queue
)
select queue, null::bigint as interval_number, count(*) as runs, sum(run_time) as total
from by_queue
group by queue
union all
select null::integer as queue, interval_number, count(*) as runs, coalesce(sum(run_time), 0) as total
from by_run
group by grouping sets ((), (interval_number))
order by queue nulls first, interval_number nulls first;
