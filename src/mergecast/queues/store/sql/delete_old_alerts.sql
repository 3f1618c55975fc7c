-- Delete the alerts that ended long ago.
-- $1 repository, $2 an instant
delete from alerts
where repository_id = $1 and ended_at < cast($2 as bigint);
