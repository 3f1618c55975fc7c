-- The next stays of a repository, by number.
-- $1 repository, $2 number of the last stay seen, $3 number of the last stay wanted, $4 how many
with page as (
    select *
    from stays
    where repository_id = $1
        and stay > cast($2 as bigint)
        and stay <= cast($3 as bigint)
    order by stay
    limit cast($4 as bigint)
),
{named_stays}
select
    page.stay,
    named.session_id,
    named.pull_request,
    page.entered_at,
    entered.base_ref,
    entered.queue_name,
    entered.priority_rule_name,
    page.left_at,
    departed.base_ref,
    departed.queue_name,
    departed.priority_rule_name,
    page.reason,
    page.reason in ({merged_reasons}) as "is_merged [boolean]",
    page.batch_id,
    page.retries,
    page.queue_time,
    page.ci_runtime,
    page.idle_capacity,
    page.idle_schedule,
    page.idle_freeze,
    page.head_sha
from page
cross join named -- in this order on SQLite
left join groups as entered
    on entered.repository_id = $1
    and entered.group_id = page.entered_group
left join groups as departed
    on departed.repository_id = $1
    and departed.group_id = page.left_group
where named.stay = page.stay
    and named.place = 1
order by page.stay;
