-- What was pinned.
-- $1 repository, $2 name of the baseline
select hours
from baselines
where repository_id = $1 and name = $2;
