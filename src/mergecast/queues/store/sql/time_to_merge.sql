-- How long did merged pull requests stay in the queue, by queue?
-- $1 repository, $2 start, $3 end, $4 groups
select
    groups.queue_name collate "C" as queue_name,
    count(*) as merged,
    sum(stays.queue_time) as total,
    percentile_cont(0.5) within group (order by stays.queue_time) as median
from stays
join groups on groups.repository_id = $1 and groups.group_id = stays.left_group
where stays.repository_id = $1
    and stays.left_at >= $2::bigint
    and stays.left_at < $3::bigint
    and stays.queue_time is not null
    and stays.reason in ({merged_reasons})
    and stays.left_group in (select unnest($4::integer[]))
group by 1
order by 1;
