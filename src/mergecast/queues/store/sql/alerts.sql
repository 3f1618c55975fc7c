-- The alerts that were not over before a period and began before its end, newest first.
-- $1 repository, $2 start, $3 end
select document
from alerts
where repository_id = $1
    and since < $3::bigint
    and coalesce(ended_at, $3::bigint) >= $2::bigint
order by since desc, id collate "C";
