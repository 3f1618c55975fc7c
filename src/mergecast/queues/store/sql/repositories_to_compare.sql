-- The repositories with baselines that were not compared up to an hour.
-- $1 the hour
select distinct repository_id
from baselines
where coalesce(compared_at, 0) < $1::bigint;
