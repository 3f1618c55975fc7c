-- Threads that wait for translation, and when their new deliveries happened. Those without any come last.
-- $1 repository, $2 how many
select thread, min(first_at), max(last_at)
from waiting_threads
where repository_id = $1
group by thread
order by min(first_at) > max(last_at), thread
limit $2;
