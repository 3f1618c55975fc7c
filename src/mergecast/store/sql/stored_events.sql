-- What is stored under these numbers: the content of each event. `wanted` holds the numbers.
select
    number,
    id,
    type,
    happened_at,
    base_ref,
    queue_name,
    priority_rule_name,
    source,
    session_id,
    pull_request,
    batch_id,
    attempt,
    batch_pull_requests,
    reason,
    outcome,
    schedule_wait,
    freeze_wait,
    depth,
    culprit_found,
    max_failures_reached
from event_contents
where number in (select number from wanted);
