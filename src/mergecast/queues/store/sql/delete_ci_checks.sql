-- Delete some executions of CI checks.
-- $1 repository, $2 the run of each, $3 the id of each
delete from ci_checks
where repository_id = $1
    and run in (select unnest($2::bigint[]))
    and (run, check_id) in (select unnest($2::bigint[]), unnest($3::text[]));
