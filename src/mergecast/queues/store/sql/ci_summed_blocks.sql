-- Which blocks of days in a period are summed, and none of their days has changed since?
-- $1 repository, $2 first day of the first block, $3 that of the block after the last, $4 days per block
with days as (
    select day - day % cast($4 as integer) as first_day, cast(sum(changed_at) as bigint) as changed_at
    from ci_days
    where repository_id = $1
        and day >= cast($2 as integer)
        and day < cast($3 as integer)
    group by 1
    having count(*) = count(*) filter (where is_summed)
)
select distinct ci_block_sums.first_day
from ci_block_sums
join days
    on days.first_day = ci_block_sums.first_day
    and days.changed_at = ci_block_sums.days_changed_at
where ci_block_sums.repository_id = $1
order by 1;
