-- The numbers of all stays, CI runs and bisections of a repository.
-- $1 repository
select number
from subjects
where repository_id = $1
order by number;
