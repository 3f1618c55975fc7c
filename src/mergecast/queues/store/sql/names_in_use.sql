-- On which of these names are threads built that were active since an instant?
-- $1 repository, $2 names, $3 the instant
select distinct thread_links.name
from thread_links
join threads on threads.repository_id = $1 and threads.number = thread_links.thread
where thread_links.repository_id = $1
    and thread_links.name {among $2 text}
    and not thread_links.is_owner
    and threads.last_at >= cast($3 as bigint);
