-- In each hour, how many seconds had the pull requests stayed that left, merged or not?
-- $1 repository, $2 start, $3 end, $4 groups
select
    left_at / 3600000000 as hour,
    array_agg(queue_time / 1000000 order by queue_time) as seconds
from stays
where repository_id = $1
    and left_at >= $2::bigint
    and left_at < $3::bigint
    and queue_time is not null
    and left_group in (select unnest($4::integer[]))
group by 1
order by 1;
