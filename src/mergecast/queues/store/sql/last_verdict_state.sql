-- What was known about a queue at the beginning of the last day that is stored?
-- $1 repository, $2 base ref, $3 queue
select day, document
from verdict_states
where repository_id = $1
    and base_ref = $2
    and queue_name = $3
order by day desc
limit 1;
