-- How many pull requests were in the batches whose CI run started in the window?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    group_id,
    (started_at + $6::bigint) / $5::bigint as interval_number,
    count(*) as runs,
    sum(batch_size) as total,
    max(batch_size) as largest,
    min(batch_size) as smallest
from runs
where repository_id = $1
    and started_at >= $2::bigint
    and started_at < $3::bigint
    and has_start
    and group_id in (select unnest($4::integer[]))
group by 1, 2
order by 1, 2;
