-- Delete the prices of CI.
-- $1 repository
delete from ci_prices
where repository_id = $1;
