-- Which of these threads wait for translation?
-- $1 repository, $2 their numbers
select distinct thread
from waiting_threads
where repository_id = $1 and thread in (select unnest($2::bigint[]));
