-- What is stored under these numbers: the content of each event. `wanted` holds the numbers.
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
where events.number in (select number from wanted);
