-- The stored facts of some subjects in the table stays.
-- $1 repository, $2 numbers of the subjects
select {stay_columns}
from stays
where repository_id = $1
    and stay in (select unnest($2::bigint[]));
