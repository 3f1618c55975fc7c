-- Which verdicts are there about removals of a queue in a period?
-- $1 repository, $2 base ref, $3 queue, $4 start, $5 end
select {verdicts_columns}
from verdicts
where repository_id = $1
    and base_ref = $2
    and queue_name = $3
    and left_at >= cast($4 as bigint)
    and left_at < cast($5 as bigint);
