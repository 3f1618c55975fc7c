-- How many pull requests entered a queue?
{of_two_windows}, entries as (
    select
        stays.entered_at >= cast($2 as bigint) and stays.entered_at < cast($3 as bigint) as is_now,
        kept.queue,
        (stays.entered_at + cast($7 as bigint)) / cast($6 as bigint) as interval_number
    from stays
    cross join kept -- in this order on SQLite
    where stays.repository_id = $1
        and kept.group_id = stays.entered_group
        and {in_two_windows stays.entered_at}
), counted as (
    select is_now, queue, interval_number, count(*) as entered
    from entries
    group by 1, 2, 3
)
select
    is_now as "is_now [boolean]",
    case when level = 1 then queue end as queue,
    case when level = 2 then interval_number end as interval_number,
    cast(sum(entered) as bigint) as entered
from counted
{levels}
group by 1, 2, 3
order by 1, 2 nulls first, 3 nulls first;
