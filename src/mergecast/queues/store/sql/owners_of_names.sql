-- The threads that own some names.
-- $1 repository, $2 names
select name, thread
from thread_links
where repository_id = $1
    and is_owner
    and name {among $2 text};
