-- Of which days are the states of a queue stored?
-- $1 repository, $2 base ref, $3 queue
select day
from verdict_states
where repository_id = $1
    and base_ref = $2
    and queue_name = $3;
