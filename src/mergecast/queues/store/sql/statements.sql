-- What the events of some stays, CI runs and bisections say. An event that belongs to a wanted stay and to a
-- wanted CI run comes twice, which changes nothing.
-- $1 repository, $2 numbers of the stays, CI runs and bisections
select {statement_columns}
from events
where repository_id = $1
    and stay {among $2 bigint}
union all
select {statement_columns}
from events
where repository_id = $1
    and run {among $2 bigint};
