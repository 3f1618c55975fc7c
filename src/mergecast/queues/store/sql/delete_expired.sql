-- Forget how much arrived although it was too old.
-- $1 repository
delete from expired
where repository_id = $1;
