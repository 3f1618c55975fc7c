-- How often did each check run and fail on some summed days and in some summed blocks of days, and how long did it run
-- and wait?
-- $1 repository, $2 days, $3 the first days of the blocks, $4 check; null for all, $5 width of an interval, $6 shift of
-- the intervals
with sums as (
    select day, base_ref, queue_name, name, runner, runs, failed, seconds, waited
    from ci_day_sums
    where repository_id = $1
        and day {among $2 integer}
        and (cast($4 as integer) is null or name = cast($4 as integer))
    union all
    select first_day, base_ref, queue_name, name, runner, runs, failed, seconds, waited
    from ci_block_sums
    where repository_id = $1
        and first_day {among $3 integer}
        and (cast($4 as integer) is null or name = cast($4 as integer))
)
select
    base_ref,
    queue_name,
    name,
    runner,
    (day * 86400000000 + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    sum(runs) as runs,
    sum(failed) as failed,
    {sum seconds} as seconds,
    {sum waited} as waited
from sums
group by 1, 2, 3, 4, 5;
