-- Some threads.
-- $1 repository, $2 their numbers
select repository_id, number, source, name, standing, first_at, last_at, is_about_queue, translation
from threads
where repository_id = $1 and number in (select unnest($2::bigint[]));
