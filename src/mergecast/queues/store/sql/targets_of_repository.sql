-- Which targets does a repository have?
-- $1 repository
select repository_id, document
from targets
where repository_id = $1;
