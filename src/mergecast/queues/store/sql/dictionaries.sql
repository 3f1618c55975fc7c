-- What bodies were compressed with.
-- $1 repository
select repository_id, id, made_at, body
from dictionaries
where repository_id = $1;
