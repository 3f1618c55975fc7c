-- The executions of some CI runs.
-- $1 repository, $2 runs
select {ci_execution_columns}
{ci_executions}
    and ci_checks.run in (select unnest($2::bigint[]));
