-- How many batches were merged without their own CI run?
{of_two_windows}, batches as (
    select
        stays.left_at >= $2::bigint and stays.left_at < $3::bigint as is_now,
        kept.queue,
        stays.batch_id,
        (min(stays.left_at) + $7::bigint) / $6::bigint as interval_number
    from stays
    join kept on kept.group_id = stays.left_group
    where stays.repository_id = $1
        and {in_two_windows stays.left_at}
        and stays.reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED'
        and stays.batch_id is not null
    group by is_now, kept.queue, stays.batch_id
)
select
    is_now,
    queue,
    interval_number,
    count(*) as batches
from batches
group by grouping sets ((is_now), (is_now, queue), (is_now, interval_number))
order by is_now, queue nulls first, interval_number nulls first;
