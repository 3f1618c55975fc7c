-- The threads of a source.
-- $1 repository, $2 source
select number
from threads
where repository_id = $1 and source = $2
order by number;
