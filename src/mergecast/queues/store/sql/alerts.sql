-- The alerts that were not over before a period and began before its end, newest first.
-- $1 repository, $2 start, $3 end
select document
from alerts
where repository_id = $1
    and since < cast($3 as bigint)
    and coalesce(ended_at, cast($3 as bigint)) >= cast($2 as bigint)
order by since desc, id {bytewise};
