-- The next checks of a repository, by the numbers of their stays and CI runs.
-- $1 repository, $2 and $3 stay and CI run of the last check seen, $4 number of the last stay wanted, $5 how many
with page as (
    select *
    from checks
    where repository_id = $1
        and stay >= cast($2 as bigint)
        and stay <= cast($4 as bigint)
        and (stay > cast($2 as bigint) or run > cast($3 as bigint))
    order by stay, run
    limit cast($5 as bigint)
),
named as (
    select stay, run, min(session_id) as session_id, min(batch_id) as batch_id, min(attempt) as attempt
    from events
    where repository_id = $1
        and type in ('checks_started', 'checks_ended')
        and stay {among page.stay}
    group by stay, run
)
select
    page.stay,
    page.run,
    named.session_id,
    named.batch_id,
    named.attempt,
    page.started_at,
    started.base_ref,
    started.queue_name,
    started.priority_rule_name,
    page.batch_size,
    page.ended_at,
    ended.base_ref,
    ended.queue_name,
    ended.priority_rule_name,
    page.outcome,
    case
        when page.ended_at >= page.started_at then page.ended_at - page.started_at
        when page.ended_at < page.started_at then 0
    end as runtime
from page
join named
    on named.stay = page.stay
    and named.run = page.run
left join groups as started
    on started.repository_id = $1
    and started.group_id = page.started_group
left join groups as ended
    on ended.repository_id = $1
    and ended.group_id = page.ended_group
order by page.stay, page.run;
