-- How many batches were merged without their own CI run?
{of_two_windows}, batches as (
    select
        stays.left_at >= cast($2 as bigint) and stays.left_at < cast($3 as bigint) as is_now,
        kept.queue,
        stays.batch_id,
        (min(stays.left_at) + cast($7 as bigint)) / cast($6 as bigint) as interval_number
    from stays
    cross join kept -- in this order on SQLite
    where stays.repository_id = $1
        and kept.group_id = stays.left_group
        and {in_two_windows stays.left_at}
        and stays.reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED'
        and stays.batch_id is not null
    group by is_now, kept.queue, stays.batch_id
), counted as (
    select is_now, queue, interval_number, count(*) as batches
    from batches
    group by 1, 2, 3
)
select
    is_now as "is_now [boolean]",
    case when level = 1 then queue end as queue,
    case when level = 2 then interval_number end as interval_number,
    cast(sum(batches) as bigint) as batches
from counted
{levels}
group by 1, 2, 3
order by 1, 2 nulls first, 3 nulls first;
