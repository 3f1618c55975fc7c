-- The CI runs with executions that were translated from some threads.
-- $1 repository, $2 threads
select {ci_runs_columns}
from ci_runs
where repository_id = $1
    and run in (
        select run
        from ci_checks
        where repository_id = $1 and thread {among $2 bigint}
    );
