-- Delete old deliveries of threads that turned out not to concern a queue.
-- $1 repository, $2 instant of reception before which they are old
delete from deliveries
where repository_id = $1
    and received_at < $2
    and not is_about_queue
    and thread in (select number from threads where repository_id = $1 and not is_about_queue);
