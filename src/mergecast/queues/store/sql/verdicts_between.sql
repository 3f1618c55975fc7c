-- Which removals of a period were judged, and how?
-- $1 repository, $2 start, $3 end, $4 how many
select verdicts.stay, pull_request, base_ref, queue_name, left_at, cause, said_act
from verdicts
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
limit cast($4 as bigint);
