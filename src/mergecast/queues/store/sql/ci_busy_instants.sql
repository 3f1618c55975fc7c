-- At which instants was another run in progress on the base branch? One that ended more than a day later is not looked for.
-- $1 repository, $2 base branches, $3 instants, $4 the run that began at each, $5 how much later another one may begin:
-- starts are reported late, so that one which began a little later may have begun before
-- A run that ends within a day ends on the same day or on the next, so that rows are found by an equation.
with instants as (
    select
        unnest($2::text[]) as base_ref,
        unnest($3::bigint[]) as instant,
        unnest($4::bigint[]) as own
), days as (
    select base_ref, instant, own, instant / 86400000000 as day from instants
    union all
    select base_ref, instant, own, instant / 86400000000 + 1 as day from instants
)
select distinct days.instant, days.own
from days
join runs on runs.ended_at / 86400000000 = days.day
join groups
    on groups.repository_id = $1
    and groups.group_id = runs.group_id
    and groups.base_ref = days.base_ref
where runs.repository_id = $1
    and runs.run <> days.own
    and runs.started_at <= days.instant + $5::bigint
    and runs.ended_at > days.instant
    and runs.ended_at <= days.instant + 86400000000;
