-- What was recorded of one pull request.
-- $1 repository, $2 number of the pull request
select document
from snapshots
where repository_id = $1 and number = $2;
