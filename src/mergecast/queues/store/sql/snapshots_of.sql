-- What was recorded of some pull requests, the newest first.
-- $1 repository, $2 numbers
select number, document
from snapshots
where repository_id = $1 and number {among $2 bigint}
order by number desc;
