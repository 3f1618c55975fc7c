-- What the deliveries of some threads say, in any order. Fewer than asked for are all of them.
-- $1 repository, $2 numbers of the threads, $3 how many, $4 bytes of the longest text that is loaded
select number, thread, happened_at, is_about_queue as "is_about_queue [boolean]", case when length(fields) <= $4 then fields end
from deliveries
where repository_id = $1 and thread {among $2 bigint}
limit $3;
