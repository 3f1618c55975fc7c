-- Count more that arrived although it was too old.
-- $1 repository, $2 source, $3 kind, $4 how many
update expired
set times = times + $4
where repository_id = $1 and source = $2 and kind = $3;
