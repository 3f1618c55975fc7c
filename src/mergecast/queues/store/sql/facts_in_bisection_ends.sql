-- The stored facts of some subjects in the table bisection_ends.
-- $1 repository, $2 numbers of the subjects
select {bisection_end_columns}
from bisection_ends
where repository_id = $1
    and bisection in (select unnest($2::bigint[]));
