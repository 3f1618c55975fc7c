-- Delete all executions of checks in some CI runs.
-- $1 repository, $2 runs
delete from ci_checks
where repository_id = $1 and run in (select unnest($2::bigint[]));
