-- The sweep over `spans` (group_id, span_start, span_end), which lie within the observed period.
-- $2 start, $3 end, $5 width of an interval, $6 shift of the intervals
swept_groups as (
    select
        group_id,
        swept(json_group_array(span_start), json_group_array(span_end), $2, $3, $5, $6) as intervals
    from spans
    group by group_id
)
select
    group_id,
    json_extract(swept.value, '$[0]') as interval_number,
    json_extract(swept.value, '$[1]') as level_by_time,
    json_extract(swept.value, '$[2]') as observed,
    json_extract(swept.value, '$[3]') as highest,
    json_extract(swept.value, '$[4]') as lowest
from swept_groups
join json_each(intervals) as swept
order by 1, 2;
