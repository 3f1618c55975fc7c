-- Which of these threads could not be translated for this reason?
-- $1 repository, $2 numbers of the threads, $3 reason
select distinct thread
from untranslated
where repository_id = $1 and thread in (select unnest($2::bigint[])) and reason = $3;
