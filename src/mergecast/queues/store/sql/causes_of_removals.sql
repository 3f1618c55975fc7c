-- How many removals of a period had each cause?
-- $1 repository, $2 start, $3 end
select base_ref, queue_name, cause, count(*)
from verdicts
where repository_id = $1
    and left_at >= $2::bigint
    and left_at < $3::bigint
group by 1, 2, 3;
