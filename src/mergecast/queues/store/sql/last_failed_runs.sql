-- Which of these stays failed the CI run that ended last, and which run was that?
-- $1 repository, $2 the instant, $3 stays
with ended as (
    select
        stay,
        run,
        ended_at,
        outcome,
        row_number() over (partition by stay order by ended_at desc, run desc) as place
    from checks
    where repository_id = $1
        and stay in (select unnest($3::bigint[]))
        and ended_at <= $2::bigint
        and outcome in ('SUCCESS', 'CHECKS_FAILED', 'CHECKS_TIMEOUT', 'CHECKS_RETRIED')
)
select
    ended.stay,
    ended.run,
    events.batch_id,
    events.attempt,
    ended.ended_at,
    events.batch_pull_requests
from ended
join events
    on events.repository_id = $1
    and events.run = ended.run
    and events.stay = ended.stay
    and events.type = 'checks_started'
where ended.place = 1
    and ended.outcome <> 'SUCCESS'
    and events.stay in (select unnest($3::bigint[]))
order by ended.run, ended.stay, events.happened_at, events.id collate "C";
