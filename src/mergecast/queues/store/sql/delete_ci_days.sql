-- Delete some days, whose executions have changed or are gone.
-- $1 repository, $2 days
delete from ci_days
where repository_id = $1 and day in (select unnest($2::integer[]));
