-- Which pull requests are in the queues at an instant?
-- $1 repository, $2 the instant
with present as (
    select pull_request
    from stays
    where repository_id = $1
        and entered_at <= $2::bigint
        and (left_at is null or left_at > $2::bigint)
),
entered as (
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
        and stays.pull_request in (select pull_request from present)
),
ranked as (
    select
        *,
        max(entered_at) over (partition by pull_request, base_ref, queue_name) as last_entered_at
    from entered
),
entries as (
    -- If the same pull request entered the same queue again later, the earlier stay has ended:
    -- the event that says so is missing.
    select *
    from ranked
    where left_at > $2::bigint
        or (left_at is null and entered_at = last_entered_at)
)
select
    entries.base_ref collate "C" as base_ref,
    entries.queue_name collate "C" as queue_name,
    entries.priority_rule_name,
    entries.stay,
    min(events.session_id collate "C") as session_id,
    entries.pull_request,
    entries.entered_at
from entries
join events
    on events.repository_id = $1
    and events.stay = entries.stay
    and events.happened_at = entries.entered_at
    and events.type = 'queue_entered'
where events.stay in (select stay from entries)
group by 1, 2, 3, 4, 6, 7
order by 1, 2, 7, 5;
