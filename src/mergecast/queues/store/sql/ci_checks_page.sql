-- The executions of the next CI runs, at most $4 executions or one run.
-- $1 repository, $2 the last run seen, $3 the last run wanted, $4 how many
with page as (
    select run, sum(executions) over (order by run) - executions as before
    from ci_runs
    where repository_id = $1
        and run > $2::bigint
        and run <= $3::bigint
    order by run
    limit $4::bigint
)
select {ci_execution_columns}
{ci_executions}
    and ci_checks.run in (select run from page where before = 0 or before < $4::bigint)
order by ci_checks.run, ci_checks.check_id collate "C";
