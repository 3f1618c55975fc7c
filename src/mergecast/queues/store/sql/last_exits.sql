-- Why did some pull requests leave a queue? The last exit of each comes last.
-- $1 repository, $2 numbers of the pull requests, $3 the instant before which they left
select pull_request, reason
from stays
where repository_id = $1
    and pull_request {among $2 bigint}
    and left_at <= cast($3 as bigint)
order by left_at, stay;
