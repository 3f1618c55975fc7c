-- In which groups did anything happen in the window?
-- $1 repository, $2 start, $3 end, $4 groups
select distinct group_id
from events
where repository_id = $1
    and happened_at >= $2::bigint
    and happened_at < $3::bigint
    and group_id in (select unnest($4::integer[]));
