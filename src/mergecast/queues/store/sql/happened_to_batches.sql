-- Which batches of some groups were split in a period?
-- $1 repository, $2 groups, $3 start, $4 end, $5 how many
select happened_at, batch_id, depth, batch_pull_requests
from events
where repository_id = $1
    and type = 'bisection_started'
    and group_id in (select unnest($2::bigint[]))
    and happened_at >= $3::bigint
    and happened_at < $4::bigint
order by happened_at, id collate "C"
limit $5::bigint;
