-- When did sources report something about queues since an instant? At most one instant in each span.
-- The last column is when the source itself was heard of: only events that were sent as such show that.
-- $1 repository, $2 the instant, $3 the length of a span, $4 now
select
    groups.base_ref,
    groups.queue_name,
    events.source,
    min(events.happened_at),
    max(case when events.thread is null then events.happened_at end)
from events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where events.repository_id = $1 and events.happened_at >= cast($2 as bigint) and events.happened_at <= cast($4 as bigint)
group by groups.base_ref, groups.queue_name, events.source, events.happened_at / cast($3 as bigint)
order by 4, groups.base_ref {bytewise}, groups.queue_name {bytewise}, events.source {bytewise}, 5;
