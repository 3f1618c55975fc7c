-- Which targets do some repositories have?
-- $1 repositories
select repository_id, document
from targets
where repository_id = any($1::integer[])
order by repository_id;
