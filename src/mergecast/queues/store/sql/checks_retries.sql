-- How often were checks retried for the pull requests that left, and did it help?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    left_group as group_id,
    (left_at + cast($6 as bigint)) / cast($5 as bigint) as interval_number,
    sum(retries) as retries,
    count(*) as stays,
    count(*) filter (
        where reason in ({merged_reasons})
    ) as recovered,
    max(retries) as most_retries
from stays
where repository_id = $1
    and left_at >= cast($2 as bigint)
    and left_at < cast($3 as bigint)
    and retries > 0
    and left_group {among $4 integer}
group by 1, 2
order by 1, 2;
