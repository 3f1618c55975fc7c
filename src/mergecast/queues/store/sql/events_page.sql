-- The next events of a repository, in the order in which they were stored.
-- $1 repository, $2 number of the last event seen, $3 number of the last event wanted, $4 how many,
-- $5 how many characters of batches
with page as (
    select *
    from events
    where repository_id = $1
        and number > $2
        and number <= $3
    order by number
    limit $4
)
select events.number, {event_columns}
{of_page}
