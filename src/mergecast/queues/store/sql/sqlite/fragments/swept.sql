select
    json_extract(steps.value, '$[0]') as group_id,
    json_extract(steps.value, '$[1]') as interval_number,
    json_extract(steps.value, '$[2]') as level_by_time,
    json_extract(steps.value, '$[3]') as observed,
    json_extract(steps.value, '$[4]') as highest,
    json_extract(steps.value, '$[5]') as lowest
from listed
join json_each({at}) as steps
order by steps.key;
