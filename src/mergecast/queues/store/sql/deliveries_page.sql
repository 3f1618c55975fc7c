-- The next deliveries of a repository, in the order in which they were stored, with the names of their threads.
-- $1 repository, $2 number of the last delivery seen, $3 how many
with page as (
    select {deliveries_columns}
    from deliveries
    where repository_id = $1 and number > $2
    order by number
    limit $3
)
select
    threads.name,
    page.*
from page
join threads on threads.repository_id = $1 and threads.number = page.thread
where threads.number {among page.thread}
order by page.number;
