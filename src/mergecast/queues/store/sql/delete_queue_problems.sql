-- Delete all problems of a repository, to write them again.
-- $1 repository
delete from queue_problems
where repository_id = $1;
