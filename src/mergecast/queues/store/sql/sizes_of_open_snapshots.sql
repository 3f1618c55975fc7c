-- The size in bytes of each open pull request's snapshot, newest first. The snapshots themselves are not read:
-- together they may be larger than memory.
-- $1 repository
select number, {bytes document}
from snapshots
where repository_id = $1 and is_open
order by number desc;
