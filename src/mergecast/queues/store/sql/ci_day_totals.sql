-- How often did each check run and fail on some summed days, and how long did it run and wait?
-- $1 repository, $2 days, $3 check; null for all, $4 width of an interval, $5 shift of the intervals
select
    base_ref,
    queue_name,
    name,
    runner,
    (day * 86400000000 + $5::bigint) / $4::bigint as interval_number,
    sum(runs) as runs,
    sum(failed) as failed,
    sum(seconds) as seconds,
    sum(waited) as waited
from ci_day_sums
where repository_id = $1
    and day in (select unnest($2::integer[]))
    and ($3::integer is null or name = $3::integer)
group by 1, 2, 3, 4, 5;
