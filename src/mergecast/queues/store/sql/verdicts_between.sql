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
    verdicts.document like '%"certainty":"sure"%' as is_sure
from verdicts
left join stays on stays.repository_id = $1 and stays.stay = verdicts.stay
where verdicts.repository_id = $1
    and verdicts.left_at >= $2::bigint
    and verdicts.left_at < $3::bigint
limit $4::bigint;
