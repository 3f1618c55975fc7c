-- Delete some executions of CI checks.
-- $1 repository, $2 the run of each, $3 the id of each
delete from ci_checks
where repository_id = $1
    and run {among $2 bigint}
    and (run, check_id) in {given $2 bigint run, $3 text check_id};
