-- How many pull requests did a queue merge?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    left_group as group_id,
    (left_at + $6::bigint) / $5::bigint as interval_number,
    count(*) as merged
from stays
where repository_id = $1
    and left_at >= $2::bigint
    and left_at < $3::bigint
    and left_group in (select unnest($4::integer[]))
    and reason in ({merged_reasons})
group by 1, 2
order by 1, 2;
