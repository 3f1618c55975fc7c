-- The repositories with threads of a source that an earlier version of translation translated.
-- $1 source, $2 version
select distinct repository_id
from threads
where source = $1 and translation < $2;
