-- What the deliveries of some threads say, in any order. Fewer than asked for are all of them.
-- $1 repository, $2 numbers of the threads, $3 how many
select number, thread, happened_at, is_about_queue, fields
from deliveries
where repository_id = $1 and thread in (select unnest($2::bigint[]))
limit $3;
