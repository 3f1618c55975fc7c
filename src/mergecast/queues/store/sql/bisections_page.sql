-- The next splits and ends of bisections of a repository; the end of a bisection follows its splits.
-- $1 repository, $2 and $3 number and step of the last row seen, $4 number of the last bisection wanted, $5 how many
with steps as (
    select
        bisection,
        cast(depth as bigint) as step,
        'started' as what,
        started_at as instant,
        group_id,
        depth,
        batch_size,
        cast(null as boolean) as culprit_found,
        cast(null as boolean) as max_failures_reached
    from bisection_starts
    where repository_id = $1
        and bisection >= cast($2 as bigint)
        and bisection <= cast($4 as bigint)
    union all
    select
        bisection,
        1000000,
        'ended',
        ended_at,
        group_id,
        null,
        null,
        culprit_found,
        max_failures_reached
    from bisection_ends
    where repository_id = $1
        and bisection >= cast($2 as bigint)
        and bisection <= cast($4 as bigint)
),
page as (
    select *
    from steps
    where bisection > cast($2 as bigint)
        or step > cast($3 as bigint)
    order by bisection, step
    limit cast($5 as bigint)
),
named as (
    select run, min(batch_id) as batch_id
    from events
    where repository_id = $1
        and type in ('bisection_started', 'bisection_ended')
        and run {among page.bisection}
    group by run
)
select
    page.bisection,
    page.step,
    named.batch_id,
    page.what,
    page.instant,
    groups.base_ref,
    groups.queue_name,
    groups.priority_rule_name,
    page.depth,
    page.batch_size,
    page.culprit_found as "culprit_found [boolean]",
    page.max_failures_reached as "max_failures_reached [boolean]"
from page
join named on named.run = page.bisection
join groups
    on groups.repository_id = $1
    and groups.group_id = page.group_id
order by page.bisection, page.step;
