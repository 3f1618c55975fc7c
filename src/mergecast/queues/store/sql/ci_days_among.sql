-- Some days with executions.
-- $1 repository, $2 days
select {ci_day_columns}
from ci_days
where repository_id = $1 and day in (select unnest($2::integer[]));
