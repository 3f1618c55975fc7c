-- What was recorded of one base branch?
-- $1 repository, $2 base ref, $3 first instant, $4 instant after the last, $5 how many at most
select {event_columns}
from events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where events.repository_id = $1
    and groups.base_ref = $2
    and events.happened_at >= cast($3 as bigint)
    and events.happened_at < cast($4 as bigint)
order by events.happened_at, events.id {bytewise}
limit $5;
