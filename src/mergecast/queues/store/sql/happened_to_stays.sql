-- Which stays of some groups began or ended in a period? The events that count, in the order of time.
-- $1 repository, $2 groups, $3 start, $4 end, $5 how many
select
    events.type,
    events.happened_at,
    events.stay,
    events.session_id,
    events.pull_request,
    events.reason,
    events.head_sha,
    groups.priority_rule_name
from events
join stays
    on stays.repository_id = $1
    and stays.stay = events.stay
    and events.happened_at = case when events.type = 'queue_entered' then stays.entered_at else stays.left_at end
join groups
    on groups.repository_id = $1
    and groups.group_id = events.group_id
where events.repository_id = $1
    and events.type in ('queue_entered', 'queue_left')
    and events.group_id {among $2 bigint}
    and events.happened_at >= cast($3 as bigint)
    and events.happened_at < cast($4 as bigint)
order by events.happened_at, events.id {bytewise}
limit cast($5 as bigint);
