-- How many batches were merged without their own CI run?
-- $1 repository, $2 start, $3 end, $4 groups, $5 the queue of each group, $6 width of an interval, $7 shift of the intervals,
-- $8 start and $9 end of the window to compare with, which does not overlap the other
-- Rows of each window, if there is anything in it: the whole (no queue, no interval), each queue, each interval.
with kept as (
    select unnest($4::integer[]) as group_id, unnest($5::integer[]) as queue
), batches as (
    select
        stays.left_at >= $2::bigint and stays.left_at < $3::bigint as is_now,
        kept.queue,
        stays.batch_id,
        (min(stays.left_at) + $7::bigint) / $6::bigint as interval_number
    from stays
    join kept on kept.group_id = stays.left_group
    where stays.repository_id = $1
        and stays.left_at >= least($2::bigint, $8::bigint)
        and stays.left_at < greatest($3::bigint, $9::bigint)
        and ((stays.left_at >= $2::bigint and stays.left_at < $3::bigint) or (stays.left_at >= $8::bigint and stays.left_at < $9::bigint))
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
