-- The threads of a source that own some names, or are built on them, and that were active in a period.
-- $1 repository, $2 names, $3 whether they own them, $4 source, $5 first instant, $6 last instant
select
    array_agg(thread_links.name order by thread_links.name),
    threads.number,
    threads.standing,
    threads.first_at,
    threads.last_at
from thread_links
join threads on threads.repository_id = $1 and threads.number = thread_links.thread
where thread_links.repository_id = $1
    and thread_links.name in (select unnest($2::text[]))
    and thread_links.is_owner = $3
    and threads.source = $4
    and threads.last_at >= $5
    and threads.first_at <= $6
group by threads.number, threads.standing, threads.first_at, threads.last_at;
