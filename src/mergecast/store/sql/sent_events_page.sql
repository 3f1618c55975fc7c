-- The next events that clients sent, in the order in which they were stored.
-- $1 repository, $2 number of the last event seen, $3 number of the last event wanted, $4 how many
select events.number, {event_columns}
from events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where events.repository_id = $1
    and events.number > $2
    and events.number <= $3
    and events.thread is null
order by events.number
limit $4;
