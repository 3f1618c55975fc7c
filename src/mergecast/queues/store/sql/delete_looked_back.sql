-- Forget that the history of a repository was searched for problems, to write it again.
-- $1 repository
delete from looked_back
where repository_id = $1;
