-- The names of some repositories.
-- $1 their ids
select owner, name
from repositories
where repository_id {among $1 integer};
