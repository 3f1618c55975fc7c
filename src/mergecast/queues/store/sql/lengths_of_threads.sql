-- How many deliveries some threads have, and how many bytes these say; those without any are left out.
-- $1 repository, $2 numbers of the threads
select thread, count(*), sum(length(fields))
from deliveries
where repository_id = $1 and thread {among $2 bigint}
group by thread;
