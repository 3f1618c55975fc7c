-- Delete dictionaries that no body needs any more.
-- $1 repository, $2 instant before which they were made
delete from dictionaries
where repository_id = $1 and made_at < $2;
