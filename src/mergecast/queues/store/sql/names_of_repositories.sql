-- The names of some repositories.
-- $1 their ids
select owner, name
from repositories
where repository_id in (select unnest($1::integer[]));
