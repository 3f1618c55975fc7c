-- Which batches of some groups were split in a period?
-- $1 repository, $2 groups, $3 start, $4 end, $5 how many
select happened_at, batch_id, depth, batch_pull_requests
from events
where repository_id = $1
    and type = 'bisection_started'
    and group_id {among $2 bigint}
    and happened_at >= cast($3 as bigint)
    and happened_at < cast($4 as bigint)
order by happened_at, id {bytewise}
limit cast($5 as bigint);
