-- How many pull requests were in the batches whose CI run started in the window?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    group_id,
    (started_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    count(*) as runs,
    sum(batch_size) as total,
    max(batch_size) as largest,
    min(batch_size) as smallest
from runs
where repository_id = $1
    and started_at >= cast($2 as bigint)
    and started_at < cast($3 as bigint)
    and has_start
    and group_id {among $4 integer}
group by 1, 2
order by 1, 2;
