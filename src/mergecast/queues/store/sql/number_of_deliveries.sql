-- How many deliveries are stored?
-- $1 repository
select count(*)
from deliveries
where repository_id = $1;
