-- Count the deliveries of each source again.
-- $1 repository
select repository_id, source, kind, count(*), min(received_at), max(received_at)
from deliveries
where repository_id = $1 and is_about_queue
group by repository_id, source, kind;
