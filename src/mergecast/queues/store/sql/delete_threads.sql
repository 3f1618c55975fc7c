-- Delete the rows of some threads, to write them again.
-- $1 repository, $2 their numbers
delete from threads
where repository_id = $1 and number in (select unnest($2::bigint[]));
