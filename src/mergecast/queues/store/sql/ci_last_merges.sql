-- When was something last merged into a base branch, up to some instants?
-- $1 repository, $2 base branches, $3 instants
with moments as (
    select unnest($2::text[]) as base_ref, unnest($3::bigint[]) as instant, true as is_asked
    union all
    select groups.base_ref, stays.left_at, false
    from stays
    join groups on groups.repository_id = $1 and groups.group_id = stays.left_group
    where stays.repository_id = $1
        and stays.reason in ({merged_reasons})
        and groups.base_ref in (select unnest($2::text[]))
), reached as (
    select
        base_ref,
        instant,
        is_asked,
        max(case when not is_asked then instant end) over (partition by base_ref order by instant) as merged_at
    from moments
)
select distinct base_ref, instant, merged_at
from reached
where is_asked and merged_at is not null;
