-- The content of stored events.
-- $1 repository, $2 numbers of the events
select {event_columns}
from events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where events.repository_id = $1
    and events.number {among $2 bigint};
