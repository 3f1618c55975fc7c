-- Which CI runs of stays of some groups began or ended in a period? The events that count, in the order of time.
-- $1 repository, $2 groups, $3 start, $4 end, $5 how many
select
    events.type,
    events.happened_at,
    events.session_id,
    events.pull_request,
    events.batch_id,
    events.attempt,
    events.outcome,
    events.batch_pull_requests
from events
join checks
    on checks.repository_id = $1
    and checks.stay = events.stay
    and checks.run = events.run
    and events.happened_at = case when events.type = 'checks_started' then checks.started_at else checks.ended_at end
where events.repository_id = $1
    and events.type in ('checks_started', 'checks_ended')
    and events.group_id {among $2 bigint}
    and events.happened_at >= cast($3 as bigint)
    and events.happened_at < cast($4 as bigint)
order by events.happened_at, events.id {bytewise}
limit cast($5 as bigint);
