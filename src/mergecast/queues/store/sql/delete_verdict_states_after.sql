-- Delete the states of all queues that do not hold any more, because something changed before.
-- $1 repository, $2 instant, $3 length of a day
delete from verdict_states
where repository_id = $1
    and day * cast($3 as bigint) > cast($2 as bigint);
