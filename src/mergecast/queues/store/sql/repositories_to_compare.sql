-- The repositories with reference periods that were not compared up to an hour.
-- $1 the hour
select distinct repository_id
from reference_periods
where coalesce(compared_at, 0) < cast($1 as bigint);
