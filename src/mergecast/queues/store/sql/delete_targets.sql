-- Delete the targets of a repository.
-- $1 repository
delete from targets
where repository_id = $1;
