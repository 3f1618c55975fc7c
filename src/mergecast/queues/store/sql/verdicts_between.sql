-- Which removals of a period were judged, and how?
-- $1 repository, $2 start, $3 end, $4 how many
select
    verdicts.stay,
    verdicts.pull_request,
    verdicts.base_ref,
    verdicts.queue_name,
    verdicts.left_at,
    coalesce(stays.reason, 'UNKNOWN'),
    stays.head_sha,
    verdicts.cause,
    verdicts.said_act,
    verdicts.document like '%"certainty":"sure"%' as "is_sure [boolean]"
from verdicts
left join stays on stays.repository_id = $1 and stays.stay = verdicts.stay
where verdicts.repository_id = $1
    and verdicts.left_at >= cast($2 as bigint)
    and verdicts.left_at < cast($3 as bigint)
limit cast($4 as bigint);
