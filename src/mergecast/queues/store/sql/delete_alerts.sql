-- Delete alerts, to write them again.
-- $1 repository, $2 their ids
delete from alerts
where repository_id = $1 and id in (select unnest($2::text[]));
