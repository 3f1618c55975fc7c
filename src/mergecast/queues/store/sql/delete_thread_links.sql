-- Delete the names that connect some threads to others.
-- $1 repository, $2 numbers of the threads
delete from thread_links
where repository_id = $1 and thread in (select unnest($2::bigint[]));
