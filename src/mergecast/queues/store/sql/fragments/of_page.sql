-- The events of `page`, as far as their batches take at most $5 characters.
from (
    select
        *,
        -- Batches are the only long texts, and a page of many large ones would take much memory.
        sum(length(batch_pull_requests)) over (
            order by number rows between unbounded preceding and 1 preceding
        ) as characters_before
    from page
) as events
join groups on groups.repository_id = $1 and groups.group_id = events.group_id
where coalesce(events.characters_before, 0) < $5
order by events.number;
