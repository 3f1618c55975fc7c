-- How many CI runs ended, with any outcome, and how long did they take together?
-- $1 repository, $2 start, $3 end, $4 groups, $5 the queue of each group, $6 width of an interval, $7 shift of the intervals,
-- $8 start and $9 end of the window to compare with, which does not overlap the other
-- Rows of each window, if there is anything in it: the whole (no queue, no interval), each queue, each interval.
with kept as (
    select unnest($4::integer[]) as group_id, unnest($5::integer[]) as queue
), by_queue as (
    select distinct
        runs.ended_at >= $2::bigint and runs.ended_at < $3::bigint as is_now,
        kept.queue,
        runs.run,
        (runs.ended_at + $7::bigint) / $6::bigint as interval_number,
        greatest(runs.ended_at - coalesce(runs.started_at, runs.ended_at), 0) as run_time
    from runs
    join kept on kept.group_id = runs.group_id
    where runs.repository_id = $1
        and runs.ended_at >= least($2::bigint, $8::bigint)
        and runs.ended_at < greatest($3::bigint, $9::bigint)
        and ((runs.ended_at >= $2::bigint and runs.ended_at < $3::bigint) or (runs.ended_at >= $8::bigint and runs.ended_at < $9::bigint))
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
