-- These threads wait no longer.
-- $1 repository, $2 their numbers
delete from waiting_threads
where repository_id = $1 and thread in (select unnest($2::bigint[]));
