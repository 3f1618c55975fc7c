-- How long did merged pull requests stay in the queue, by queue?
-- $1 repository, $2 start, $3 end, $4 groups
select
    groups.queue_name {bytewise} as queue_name,
    count(*) as merged,
    {sum stays.queue_time} as total,
    {percentile 0.5 of stays.queue_time} as median
from stays
cross join groups -- in this order on SQLite
where stays.repository_id = $1
    and groups.repository_id = $1
    and groups.group_id = stays.left_group
    and stays.left_at >= cast($2 as bigint)
    and stays.left_at < cast($3 as bigint)
    and stays.queue_time is not null
    and stays.reason in ({merged_reasons})
    and stays.left_group {among $4 integer}
group by 1
order by 1;
