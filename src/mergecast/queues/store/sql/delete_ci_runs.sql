-- Delete what is known about some CI runs.
-- $1 repository, $2 runs
delete from ci_runs
where repository_id = $1 and run in (select unnest($2::bigint[]));
