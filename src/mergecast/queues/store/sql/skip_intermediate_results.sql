-- How many batches were merged without their own CI run?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
with batches as (
    select
        left_group as group_id,
        batch_id,
        min(left_at) as saved_at
    from stays
    where repository_id = $1
        and left_at >= cast($2 as bigint)
        and left_at < cast($3 as bigint)
        and reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED'
        and batch_id is not null
        and left_group {among $4 integer}
    group by 1, 2
)
select
    group_id,
    (saved_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as batches
from batches
group by 1, 2
order by 1, 2;
