-- Of which groups are CI runs known?
-- $1 repository, $2 groups
select distinct group_id
from runs
where repository_id = $1 and group_id {among $2 integer};
