-- Which CI runs did these stays have?
-- $1 repository, $2 stays, $3 how many
with named as (
    select
        stay,
        run,
        batch_id,
        attempt,
        batch_pull_requests,
        row_number() over (
            partition by stay, run
            order by case when type = 'checks_started' then 0 else 1 end, happened_at, id {bytewise}
        ) as place
    from events
    where repository_id = $1
        and type in ('checks_started', 'checks_ended')
        and stay {among $2 bigint}
)
select
    checks.stay,
    named.batch_id,
    named.attempt,
    named.batch_pull_requests,
    checks.started_at,
    checks.ended_at,
    checks.outcome
from checks
join named
    on named.stay = checks.stay
    and named.run = checks.run
    and named.place = 1
where checks.repository_id = $1
    and checks.stay {among $2 bigint}
order by checks.stay, coalesce(checks.started_at, checks.ended_at), named.batch_id {bytewise}, named.attempt
limit cast($3 as bigint);
