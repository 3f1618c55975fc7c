-- Everything said of the touched stays, CI runs and bisections. `touched` holds their numbers. An
-- event that speaks of a touched stay and of a touched run comes twice, which changes nothing.
select
    happened_at,
    id,
    type,
    repository_id,
    group_id,
    stay,
    run,
    pull_request,
    batch_id,
    batch_size,
    reason,
    outcome,
    schedule_wait,
    freeze_wait,
    depth,
    culprit_found,
    max_failures_reached
from events
where stay in (select number from touched)
union all
select
    happened_at,
    id,
    type,
    repository_id,
    group_id,
    stay,
    run,
    pull_request,
    batch_id,
    batch_size,
    reason,
    outcome,
    schedule_wait,
    freeze_wait,
    depth,
    culprit_found,
    max_failures_reached
from events
where run in (select number from touched);
