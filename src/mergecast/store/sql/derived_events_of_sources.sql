-- How many events were translated from each source?
-- $1 repository
select source, count(*)
from events
where repository_id = $1 and thread is not null
group by source;
