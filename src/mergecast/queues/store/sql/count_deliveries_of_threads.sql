-- How many deliveries do some threads have, by source and kind?
-- $1 repository, $2 numbers of the threads
select source, kind, count(*), count(*) filter (where is_about_queue)
from deliveries
where repository_id = $1 and thread {among $2 bigint}
group by source, kind
order by source, kind;
