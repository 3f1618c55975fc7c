-- The stored facts of some subjects in the table bisection_starts.
-- $1 repository, $2 numbers of the subjects
select {bisection_start_columns}
from bisection_starts
where repository_id = $1
    and bisection in (select unnest($2::bigint[]));
