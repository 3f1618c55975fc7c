-- The executions of the next CI runs, at most $4 executions or one run.
-- $1 repository, $2 the last run seen, $3 the last run wanted, $4 how many
-- The first and the last run let the store read the rows of the page alone.
with page as (
    select run, sum(executions) over (order by run) - executions as before
    from ci_runs
    where repository_id = $1
        and run > cast($2 as bigint)
        and run <= cast($3 as bigint)
    order by run
    limit cast($4 as bigint)
), chosen as (
    select run from page where before = 0 or before < cast($4 as bigint)
)
select {ci_execution_columns}
{ci_executions}
    and ci_checks.run {among chosen.run}
    and ci_checks.run > cast($2 as bigint)
    and ci_checks.run <= (select max(run) from chosen)
    and ci_runs.run > cast($2 as bigint)
    and ci_runs.run <= (select max(run) from chosen)
order by ci_checks.run, ci_checks.check_id {bytewise};
