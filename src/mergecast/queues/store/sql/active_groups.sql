-- In which groups did anything happen in the window?
-- $1 repository, $2 start, $3 end, $4 groups
select distinct group_id
from events
where repository_id = $1
    and happened_at >= cast($2 as bigint)
    and happened_at < cast($3 as bigint)
    and group_id {among $4 integer};
