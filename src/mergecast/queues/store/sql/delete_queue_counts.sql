-- Delete the counts of some queues, before new ones are inserted.
-- $1 repository, $2 queues
delete from queue_counts
where repository_id = $1 and queue in (select unnest($2::integer[]));
