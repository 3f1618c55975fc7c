-- How many pull requests are recorded as open.
-- $1 repository
select count(*)
from snapshots
where repository_id = $1 and is_open;
