-- The stored facts of some subjects in the table checks.
-- $1 repository, $2 numbers of the subjects
select {check_columns}
from checks
where repository_id = $1
    and stay in (select unnest($2::bigint[]));
