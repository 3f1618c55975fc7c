-- The first block whose days are all over and summed, and which is not summed itself.
-- $1 repository, $2 first day of the present block, $3 days per block
with days as (
    select day - day % cast($3 as integer) as first_day, cast(sum(changed_at) as bigint) as changed_at
    from ci_days
    where repository_id = $1 and day < cast($2 as integer)
    group by 1
    having count(*) = count(*) filter (where is_summed)
), filled as (
    select distinct day - day % cast($3 as integer) as first_day
    from ci_day_sums
    where repository_id = $1
), summed as (
    select distinct first_day, days_changed_at
    from ci_block_sums
    where repository_id = $1
)
select days.first_day, days.changed_at
from days
join filled on filled.first_day = days.first_day
left join summed on summed.first_day = days.first_day and summed.days_changed_at = days.changed_at
where summed.first_day is null
order by 1
limit 1;
