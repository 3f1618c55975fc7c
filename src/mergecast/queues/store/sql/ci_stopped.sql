-- Which CI runs came to nothing because of a pull request ahead of them: when, and how long had they taken?
-- $1 repository, $2 start, $3 end
-- They were stopped, or they had passed and their pull requests were tested again, which takes no time from others.
with ended as (
    select
        run,
        started_at,
        ended_at,
        ended_group,
        outcome,
        lead(started_at) over (partition by stay order by started_at, run) as next_started_at
    from checks
    where repository_id = $1
        and ended_at >= cast($2 as bigint)
        and ended_at < cast($3 as bigint)
        and started_at is not null
), stopped as (
    select run, started_at, ended_group, ended_at as stopped_at, case when ended_at > started_at then ended_at - started_at else 0 end as lost
    from ended
    where outcome in ('BATCH_AHEAD_FAILED', 'PR_AHEAD_DEQUEUED')
    union all
    select run, started_at, ended_group, next_started_at, 0
    from ended
    where outcome = 'SUCCESS' and next_started_at > ended_at
)
select
    groups.base_ref,
    stopped.stopped_at,
    stopped.started_at,
    ci_runs.run,
    {sum stopped.lost} as lost
from stopped
join groups on groups.repository_id = $1 and groups.group_id = stopped.ended_group
join subjects on subjects.repository_id = $1 and subjects.number = stopped.run
left join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low
group by groups.base_ref, stopped.stopped_at, stopped.started_at, ci_runs.run;
