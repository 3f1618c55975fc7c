-- The stored facts of some subjects in the table runs.
-- $1 repository, $2 numbers of the subjects
select {run_columns}
from runs
where repository_id = $1
    and run in (select unnest($2::bigint[]));
