-- How many pull requests entered a queue?
-- $1 repository, $2 start, $3 end, $4 groups, $5 width of an interval, $6 shift of the intervals
select
    entered_group as group_id,
    (entered_at + $6::bigint) / $5::bigint as interval_number,
    count(*) as entered
from stays
where repository_id = $1
    and entered_at >= $2::bigint
    and entered_at < $3::bigint
    and entered_group in (select unnest($4::integer[]))
group by 1, 2
order by 1, 2;
