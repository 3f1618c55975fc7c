-- Delete the states of all queues that do not hold any more, because something changed before.
-- $1 repository, $2 instant, $3 length of a day
delete from verdict_states
where repository_id = $1
    and day * $3::bigint > $2::bigint;
