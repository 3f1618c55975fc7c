-- Which stays did a pull request have? The newest come first.
-- $1 repository, $2 pull request, $3 how many
with possible as (
    -- If no event says when a stay began, its number is in the event that ended it.
    select *
    from stays
    where repository_id = $1
        and (pull_request = $2::bigint or pull_request is null)
),
named as (
    select
        stay,
        session_id,
        pull_request,
        row_number() over (
            partition by stay
            order by case when type = 'queue_entered' then 0 else 1 end, happened_at, id collate "C"
        ) as place
    from events
    where repository_id = $1
        and type in ('queue_entered', 'queue_left')
        and stay in (select stay from possible)
)
select
    possible.stay,
    groups.base_ref,
    groups.queue_name,
    groups.priority_rule_name,
    named.session_id,
    named.pull_request,
    possible.entered_at,
    possible.left_at,
    possible.reason,
    possible.queue_time,
    possible.ci_runtime,
    possible.idle_capacity,
    possible.idle_schedule,
    possible.idle_freeze,
    possible.retries
from possible
join named
    on named.stay = possible.stay
    and named.place = 1
join groups
    on groups.repository_id = $1
    and groups.group_id = coalesce(possible.left_group, possible.entered_group)
where named.pull_request = $2::bigint
order by coalesce(possible.entered_at, possible.left_at) desc, named.session_id collate "C"
limit $3::bigint;
