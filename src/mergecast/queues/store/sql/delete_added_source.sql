-- Delete an added source.
-- $1 id
delete from added_sources
where id = $1;
