-- Delete the cursor of a source, to write it again.
-- $1 repository, $2 source
delete from cursors
where repository_id = $1 and source = $2;
