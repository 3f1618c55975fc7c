-- The next events that clients sent, in the order in which they were stored.
-- $1 repository, $2 number of the last event seen, $3 number of the last event wanted, $4 how many,
-- $5 how many characters of batches
select events.number, {event_columns}
from (
    select
        *,
        -- Batches are the only long texts, and a page of many large ones would take much memory.
        sum(length(batch_pull_requests)) over (
            order by number rows between unbounded preceding and 1 preceding
        ) as characters_before
    from (
        select *
        from events
        where repository_id = $1
            and number > $2
            and number <= $3
            and thread is null
        order by number
        limit $4
    ) as page
) as events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where coalesce(events.characters_before, 0) < $5
order by events.number;
