-- Give deliveries to another thread.
-- $1 repository, $2 their numbers, $3 number of the thread
update deliveries
set thread = $3::bigint
where repository_id = $1 and number in (select unnest($2::bigint[]));
