-- Delete what was recommended for a base branch, to write it again.
-- $1 repository, $2 base ref
delete from recommendations
where repository_id = $1 and base_ref = $2;
