-- Delete the counts of the sources, to write them again.
-- $1 repository
delete from sources
where repository_id = $1;
