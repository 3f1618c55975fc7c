-- How many executions of CI checks should a repository have?
-- $1 repository
select ci_checks
from repository_state
where repository_id = $1;
