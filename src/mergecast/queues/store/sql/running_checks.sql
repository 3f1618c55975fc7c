-- Which CI runs of these stays have started and not ended at an instant?
-- $1 repository, $2 the instant, $3 stays
with running as (
    select run, min(started_at) as started_at
    from runs
    where repository_id = $1
        and has_start
        and started_at <= $2::bigint
        and (ended_at is null or ended_at > $2::bigint)
    group by run
)
select
    events.stay,
    running.run,
    events.batch_id,
    events.attempt,
    running.started_at,
    events.batch_pull_requests
from running
join events
    on events.repository_id = $1
    and events.run = running.run
    and events.type = 'checks_started'
where events.run in (select run from running)
    and events.stay in (select unnest($3::bigint[]))
order by running.started_at, running.run, events.stay, events.happened_at, events.id collate "C";
