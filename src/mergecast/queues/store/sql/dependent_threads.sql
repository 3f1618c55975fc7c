-- The threads of a source that are built on some names, and that were active in a period.
-- $1 repository, $2 names, $3 source, $4 first instant, $5 last instant
select distinct thread_links.thread
from thread_links
join threads on threads.repository_id = $1 and threads.number = thread_links.thread
where thread_links.repository_id = $1
    and thread_links.name {among $2 text}
    and not thread_links.is_owner
    and threads.source = $3
    and threads.last_at >= $4
    and threads.first_at <= $5;
