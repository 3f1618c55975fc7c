-- The next deliveries of a repository, in the order in which they were stored, with the names of their threads.
-- $1 repository, $2 number of the last delivery seen, $3 how many
select
    threads.name,
    deliveries.number,
    deliveries.source,
    deliveries.kind,
    deliveries.guid,
    deliveries.digest,
    deliveries.event,
    deliveries.action,
    deliveries.received_at,
    deliveries.happened_at,
    deliveries.is_about_queue,
    deliveries.fields,
    deliveries.body,
    deliveries.dictionary
from deliveries
join threads on threads.repository_id = $1 and threads.number = deliveries.thread
where deliveries.repository_id = $1 and deliveries.number > $2
order by deliveries.number
limit $3;
