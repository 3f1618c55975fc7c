-- Delete some stays, CI runs, bisections and threads.
-- $1 repository, $2 their numbers
delete from subjects
where repository_id = $1 and number in (select unnest($2::bigint[]));
