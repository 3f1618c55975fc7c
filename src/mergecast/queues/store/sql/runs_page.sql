-- The next CI runs of a repository in each of their groups, by number and group.
-- $1 repository, $2 and $3 number and group of the last row seen, $4 number of the last CI run wanted, $5 how many
with page as (
    select *
    from runs
    where repository_id = $1
        and run >= cast($2 as bigint)
        and run <= cast($4 as bigint)
        and (run > cast($2 as bigint) or group_id > cast($3 as bigint))
    order by run, group_id
    limit cast($5 as bigint)
),
named as (
    select run, min(batch_id) as batch_id, min(attempt) as attempt
    from events
    where repository_id = $1
        and type in ('checks_started', 'checks_ended')
        and run {among page.run}
    group by run
)
select
    page.run,
    page.group_id,
    named.batch_id,
    named.attempt,
    groups.base_ref,
    groups.queue_name,
    groups.priority_rule_name,
    page.has_start as "has_start [boolean]",
    page.has_verdict as "has_verdict [boolean]",
    page.started_at,
    page.ended_at,
    case
        when page.ended_at >= page.started_at then page.ended_at - page.started_at
        when page.ended_at < page.started_at then 0
    end as runtime,
    page.batch_size
from page
join named on named.run = page.run
join groups
    on groups.repository_id = $1
    and groups.group_id = page.group_id
order by page.run, page.group_id;
