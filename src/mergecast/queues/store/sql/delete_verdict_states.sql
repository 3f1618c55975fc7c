-- Delete states of a queue by their days.
-- $1 repository, $2 base ref, $3 queue, $4 days
delete from verdict_states
where repository_id = $1
    and base_ref = $2
    and queue_name = $3
    and day {among $4 integer};
