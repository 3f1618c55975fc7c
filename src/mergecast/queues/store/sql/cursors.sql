-- Where imports resume.
-- $1 repository
select repository_id, source, position, reached
from cursors
where repository_id = $1
order by source;
