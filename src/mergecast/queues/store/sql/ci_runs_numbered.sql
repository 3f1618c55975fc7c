-- Some CI runs with reports.
-- $1 repository, $2 their numbers
select {ci_run_columns}
from ci_runs
where repository_id = $1 and run in (select unnest($2::bigint[]));
