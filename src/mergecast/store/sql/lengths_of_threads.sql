-- How many deliveries some threads have; those without any are left out.
-- $1 repository, $2 numbers of the threads
select thread, count(*)
from deliveries
where repository_id = $1 and thread in (select unnest($2::bigint[]))
group by thread;
