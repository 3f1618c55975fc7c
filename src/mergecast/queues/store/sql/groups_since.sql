-- In which groups did something happen since an instant?
-- $1 repository, $2 instant
select distinct group_id
from events
where repository_id = $1
    and happened_at >= cast($2 as bigint);
