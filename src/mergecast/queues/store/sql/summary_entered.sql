-- How many pull requests entered a queue?
{of_two_windows}, entries as (
    select
        stays.entered_at >= $2::bigint and stays.entered_at < $3::bigint as is_now,
        kept.queue,
        (stays.entered_at + $7::bigint) / $6::bigint as interval_number
    from stays
    join kept on kept.group_id = stays.entered_group
    where stays.repository_id = $1
        and {in_two_windows stays.entered_at}
)
select
    is_now,
    queue,
    interval_number,
    count(*) as entered
from entries
group by grouping sets ((is_now), (is_now, queue), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
