-- When were these pull requests in a queue since an instant, with which commit, and how did it end? If no event says
-- when a stay began, it counts if it ended since then.
-- $1 repository, $2 pull requests, $3 instant
with page as (
    select stay
    from stays
    where repository_id = $1
        and pull_request is null
        and left_at >= cast($3 as bigint)
),
{named_stays},
found as (
    select stay, pull_request
    from stays
    where repository_id = $1
        and pull_request {among $2 bigint}
        and entered_at >= cast($3 as bigint)
    union all
    select stay, pull_request
    from named
    where place = 1
        and pull_request {among $2 bigint}
)
select
    stays.stay,
    found.pull_request,
    groups.base_ref,
    groups.queue_name,
    stays.entered_at,
    stays.left_at,
    stays.reason,
    stays.head_sha
from found
join stays
    on stays.repository_id = $1
    and stays.stay = found.stay
join groups
    on groups.repository_id = $1
    and groups.group_id = coalesce(stays.entered_group, stays.left_group)
order by coalesce(stays.entered_at, stays.left_at), stays.stay;
