-- Which stays did a pull request have? The newest come first.
-- $1 repository, $2 pull request, $3 how many
with page as (
    -- If no event says when a stay began, its number is in the event that ended it.
    select *
    from stays
    where repository_id = $1
        and (pull_request = cast($2 as bigint) or pull_request is null)
),
{named_stays}
select
    page.stay,
    groups.base_ref,
    groups.queue_name,
    groups.priority_rule_name,
    named.session_id,
    named.pull_request,
    page.entered_at,
    page.left_at,
    page.reason,
    page.queue_time,
    page.ci_runtime,
    page.idle_capacity,
    page.idle_schedule,
    page.idle_freeze,
    page.retries,
    page.head_sha
from page
join named
    on named.stay = page.stay
    and named.place = 1
join groups
    on groups.repository_id = $1
    and groups.group_id = coalesce(page.left_group, page.entered_group)
where named.pull_request = cast($2 as bigint)
order by coalesce(page.entered_at, page.left_at) desc, named.session_id {bytewise}
limit cast($3 as bigint);
