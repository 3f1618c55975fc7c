-- Which subjects has a repository had?
-- $1 repository
select number
from subjects
where repository_id = $1
order by number;
