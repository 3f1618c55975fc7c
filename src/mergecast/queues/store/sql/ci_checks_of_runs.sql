-- The executions of some CI runs.
-- $1 repository, $2 runs
select {ci_check_columns}
from ci_checks
where repository_id = $1 and run in (select unnest($2::bigint[]));
