-- Which pull requests are in the queues at an instant?
-- $1 repository, $2 the instant
with entered as (
    select
        stays.stay,
        stays.pull_request,
        stays.entered_at,
        stays.left_at,
        groups.base_ref,
        groups.queue_name,
        groups.priority_rule_name
    from stays
    join groups
        on groups.repository_id = $1
        and groups.group_id = stays.entered_group
    where stays.repository_id = $1
        and stays.entered_at <= $2::bigint
        and stays.pull_request in (
            select pull_request
            from stays
            where repository_id = $1
                and entered_at <= $2::bigint
                and (left_at is null or left_at > $2::bigint)
        )
),
ranked as (
    -- If the same pull request entered the same queue again later, the earlier stay has ended:
    -- the event that says so is missing.
    select
        *,
        max(entered_at) over (partition by pull_request, base_ref, queue_name) as last_entered_at
    from entered
)
select
    ranked.base_ref collate "C" as base_ref,
    ranked.queue_name collate "C" as queue_name,
    ranked.priority_rule_name,
    ranked.stay,
    min(events.session_id collate "C") as session_id,
    ranked.pull_request,
    ranked.entered_at
from ranked
join events
    on events.repository_id = $1
    and events.stay = ranked.stay
    and events.happened_at = ranked.entered_at
    and events.type = 'queue_entered'
where (ranked.left_at > $2::bigint
    or (ranked.left_at is null and ranked.entered_at = ranked.last_entered_at))
group by 1, 2, 3, 4, 6, 7
order by 1, 2, 7, 5;
