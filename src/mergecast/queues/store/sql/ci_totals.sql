-- How often did each check run and fail, and how long did it run and wait?
-- $1 repository, $2 start, $3 end, $4 check; null for all, $5 width of an interval, $6 shift of the intervals
select
    base_ref,
    queue_name,
    name,
    runner,
    (placed_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) filter (where conclusion in ('success', 'failure', 'timed_out')) as runs,
    count(*) filter (where conclusion in ('failure', 'timed_out')) as failed,
    coalesce({sum ended_at - started_at}, 0) as seconds,
    coalesce({sum case when ended_at is not null then started_at - queued_at end}, 0) as waited
from ci_checks
where repository_id = $1
    and placed_at >= cast($2 as bigint)
    and placed_at < cast($3 as bigint)
    and conclusion is not null
    and (cast($4 as integer) is null or name = cast($4 as integer))
group by 1, 2, 3, 4, 5;
