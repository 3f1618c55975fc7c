-- The next events of a repository, in the order in which they were stored.
-- $1 repository, $2 number of the last event seen, $3 number of the last event wanted, $4 how many
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
where repository_id = $1
    and number > $2
    and number <= $3
order by number
limit $4;
