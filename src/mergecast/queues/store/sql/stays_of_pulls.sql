-- When were these pull requests in a queue since an instant, with which commit, and how did it end?
-- $1 repository, $2 pull requests, $3 instant
select
    stays.stay,
    stays.pull_request,
    groups.base_ref,
    groups.queue_name,
    stays.entered_at,
    stays.left_at,
    stays.reason,
    stays.head_sha
from stays
join groups
    on groups.repository_id = $1
    and groups.group_id = stays.entered_group
where stays.repository_id = $1
    and stays.pull_request in (select unnest($2::bigint[]))
    and stays.entered_at >= $3::bigint
order by stays.entered_at, stays.stay;
