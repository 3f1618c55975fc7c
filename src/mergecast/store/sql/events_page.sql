-- The next events of a repository, in the order in which they were stored.
-- $1 repository, $2 number of the last event seen, $3 number of the last event wanted, $4 how many
select
    events.number,
    events.id,
    events.type,
    events.happened_at,
    groups.base_ref,
    groups.queue_name,
    groups.priority_rule_name,
    events.source,
    events.session_id,
    events.pull_request,
    events.batch_id,
    events.attempt,
    events.batch_pull_requests,
    events.reason,
    events.outcome,
    events.schedule_wait,
    events.freeze_wait,
    events.depth,
    events.culprit_found,
    events.max_failures_reached
from events
join groups on groups.group_id = events.group_id
where events.repository_id = $1
    and events.number > $2
    and events.number <= $3
order by events.number
limit $4;
