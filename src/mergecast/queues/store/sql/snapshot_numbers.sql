-- Which pull requests have a snapshot, and are they open?
-- $1 repository
select number, is_open as "is_open [boolean]"
from snapshots
where repository_id = $1
order by number;
