-- The sweep over `spans` (group_id, span_start, span_end), which lie within the observed period.
-- $2 start, $3 end, $5 width of an interval, $6 shift of the intervals
listed as (
    select json_group_array(group_id) as groups, json_group_array(span_start) as starts, json_group_array(span_end) as ends
    from spans
)
select
    json_extract(steps.value, '$[0]') as group_id,
    json_extract(steps.value, '$[1]') as interval_number,
    json_extract(steps.value, '$[2]') as level_by_time,
    json_extract(steps.value, '$[3]') as observed,
    json_extract(steps.value, '$[4]') as highest,
    json_extract(steps.value, '$[5]') as lowest
from listed
join json_each(swept(groups, starts, ends, $2, $3, $5, $6)) as steps
order by steps.key;
