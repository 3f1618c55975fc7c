-- Was the history of a repository searched for problems?
-- $1 repository
select until
from looked_back
where repository_id = $1;
