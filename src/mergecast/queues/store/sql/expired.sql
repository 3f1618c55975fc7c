-- How much arrived although it was too old, by source and kind?
-- $1 repository
select repository_id, source, kind, times
from expired
where repository_id = $1
order by source collate "C", kind collate "C";
