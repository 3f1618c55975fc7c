-- The sums of some days.
-- $1 repository, $2 days
select {ci_day_sum_columns}
from ci_day_sums
where repository_id = $1 and day in (select unnest($2::integer[]));
