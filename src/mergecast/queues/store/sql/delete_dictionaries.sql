-- Delete all dictionaries, to write them again.
-- $1 repository
delete from dictionaries
where repository_id = $1;
