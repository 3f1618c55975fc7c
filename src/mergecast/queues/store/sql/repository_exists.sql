-- Does this repository still exist?
-- $1 repository
select repository_id
from repository_state
where repository_id = $1;
