-- Delete the counts of deliveries that are not kept, to write them again.
-- $1 repository
delete from skipped_deliveries
where repository_id = $1;
