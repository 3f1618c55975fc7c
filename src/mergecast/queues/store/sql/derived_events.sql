-- The events that were translated from some threads.
-- $1 repository, $2 numbers of the threads
select events.number, events.thread, events.stay, events.run, {event_columns}
from events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where events.repository_id = $1
    and events.thread {among $2 bigint};
