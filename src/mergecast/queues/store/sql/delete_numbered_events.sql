-- Delete some events.
-- $1 repository, $2 their numbers
delete from events
where repository_id = $1 and number in (select unnest($2::bigint[]));
