-- The executions that were translated from some threads.
-- $1 repository, $2 threads
select {ci_execution_columns}
{ci_executions}
    and ci_checks.thread in (select unnest($2::bigint[]));
