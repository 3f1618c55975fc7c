-- The names of the stays of `page`; the entry counts before the exit, and the earlier before the later.
named as (
    select
        stay,
        session_id,
        pull_request,
        row_number() over (
            partition by stay
            order by case when type = 'queue_entered' then 0 else 1 end, happened_at, id {bytewise}
        ) as place
    from events
    where repository_id = $1
        and type in ('queue_entered', 'queue_left')
        and stay {among page.stay}
)
