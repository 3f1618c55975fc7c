-- How many executions of each check ran and waited how long on some summed days and in some summed blocks of days?
-- $1 repository, $2 days, $3 the first days of the blocks, $4 check; null for all, $5 width of an interval, $6 shift of
-- the intervals
-- Buckets and the counts of each are joined by commas.
select
    base_ref, queue_name, name, runner,
    (day * 86400000000 + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    seconds_buckets, seconds_counts, waited_buckets, waited_counts
from ci_day_sums
where repository_id = $1
    and day {among $2 integer}
    and (cast($4 as integer) is null or name = cast($4 as integer))
union all
select
    base_ref, queue_name, name, runner,
    (first_day * 86400000000 + cast($6 as bigint)) / cast($5 as bigint),
    seconds_buckets, seconds_counts, waited_buckets, waited_counts
from ci_block_sums
where repository_id = $1
    and first_day {among $3 integer}
    and (cast($4 as integer) is null or name = cast($4 as integer));
