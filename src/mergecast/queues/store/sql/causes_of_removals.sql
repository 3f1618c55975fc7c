-- How many removals of a period had each cause?
-- $1 repository, $2 start, $3 end
select base_ref, queue_name, cause, count(*)
from verdicts
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
group by 1, 2, 3;
