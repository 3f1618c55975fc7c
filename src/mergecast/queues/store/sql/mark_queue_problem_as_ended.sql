-- Note when a problem ended.
-- $1 repository, $2 when it was found, $3 base ref, $4 name of the queue, $5 name of the problem, $6 its end
update queue_problems
set ended_at = $6
where repository_id = $1
    and found_at = $2
    and base_ref = $3
    and queue_name = $4
    and name = $5
    and ended_at is null;
