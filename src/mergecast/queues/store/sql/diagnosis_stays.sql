-- Which pull requests were in the queues of a repository since an instant?
-- $1 repository, $2 the instant, $3 the earliest entering that counts
select
    groups.base_ref,
    groups.queue_name,
    stays.pull_request,
    stays.entered_at,
    stays.left_at,
    stays.reason,
    groups.priority_rule_name
from stays
join groups on groups.repository_id = $1 and groups.group_id = stays.entered_group
where stays.repository_id = $1
    and stays.pull_request is not null
    and stays.entered_at >= cast($3 as bigint)
    and (stays.left_at is null or stays.left_at >= cast($2 as bigint))
order by stays.entered_at, stays.stay;
