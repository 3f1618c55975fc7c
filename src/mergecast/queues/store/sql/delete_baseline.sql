-- Delete a baseline, perhaps to write it again.
-- $1 repository, $2 name
delete from baselines
where repository_id = $1 and name = $2;
