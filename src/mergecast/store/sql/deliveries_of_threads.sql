-- What the deliveries of some threads say.
-- $1 repository, $2 numbers of the threads
select thread, happened_at, is_about_queue, fields
from deliveries
where repository_id = $1 and thread in (select unnest($2::bigint[]))
order by number;
