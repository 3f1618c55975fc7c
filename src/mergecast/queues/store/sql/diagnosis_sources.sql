-- When did sources report something about queues since an instant? At most one instant in each span.
-- $1 repository, $2 the instant, $3 the length of a span
select groups.base_ref, groups.queue_name, events.source, min(events.happened_at), max(events.happened_at)
from events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where events.repository_id = $1 and events.happened_at >= $2::bigint
group by groups.base_ref, groups.queue_name, events.source, events.happened_at / $3::bigint
order by 4, groups.base_ref collate "C", groups.queue_name collate "C", events.source collate "C", 5;
