-- How often did each check run and fail on a day, and how long did it run and wait?
-- $1 repository, $2 start, $3 end
select
    base_ref,
    queue_name,
    name,
    runner,
    count(*) filter (where conclusion in ('success', 'failure', 'timed_out')) as runs,
    count(*) filter (where conclusion in ('failure', 'timed_out')) as failed,
    coalesce(sum(ended_at - started_at), 0) as seconds,
    coalesce(sum(case when ended_at is not null then started_at - queued_at end), 0) as waited
from ci_checks
where repository_id = $1
    and placed_at >= $2::bigint
    and placed_at < $3::bigint
    and conclusion is not null
group by base_ref, queue_name, name, runner;
