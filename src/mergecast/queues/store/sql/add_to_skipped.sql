-- Count more deliveries that are not kept.
-- $1 repository, $2 source, $3 event, $4 action, $5 how many
update skipped_deliveries
set times = times + $5
where repository_id = $1 and source = $2 and event = $3 and action = $4;
