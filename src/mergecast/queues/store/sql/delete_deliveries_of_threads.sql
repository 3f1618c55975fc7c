-- Delete the deliveries of some threads.
-- $1 repository, $2 numbers of the threads
delete from deliveries
where repository_id = $1 and thread in (select unnest($2::bigint[]));
