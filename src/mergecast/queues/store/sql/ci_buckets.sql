-- How many executions of each check ran and waited how long?
-- $1 repository, $2 start, $3 end, $4 check; null for all, $5 width of an interval, $6 shift of the intervals
with executions as (
    select
        base_ref,
        queue_name,
        name,
        runner,
        (placed_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
        seconds_bucket,
        waited_bucket
    from ci_checks
    where repository_id = $1
        and placed_at >= cast($2 as bigint)
        and placed_at < cast($3 as bigint)
        and seconds_bucket is not null
        and (cast($4 as integer) is null or name = cast($4 as integer))
)
select base_ref, queue_name, name, runner, interval_number, false as "is_waiting [boolean]", seconds_bucket as bucket, count(*) as many
from executions
group by 1, 2, 3, 4, 5, 6, 7
union all
select base_ref, queue_name, name, runner, interval_number, true as "is_waiting [boolean]", waited_bucket as bucket, count(*) as many
from executions
where waited_bucket is not null
group by 1, 2, 3, 4, 5, 6, 7;
