-- The names that some threads own or are built on.
-- $1 repository, $2 numbers of the threads
select repository_id, thread, is_owner, name
from thread_links
where repository_id = $1 and thread in (select unnest($2::bigint[]));
