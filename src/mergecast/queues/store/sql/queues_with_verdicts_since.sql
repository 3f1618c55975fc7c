-- In which queues are there verdicts about removals since an instant?
-- $1 repository, $2 instant
select distinct base_ref, queue_name
from verdicts
where repository_id = $1
    and left_at >= cast($2 as bigint);
