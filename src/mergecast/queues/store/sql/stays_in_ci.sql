-- Which stays are part of a CI run that has started and not ended at an instant?
-- $1 repositories, $2 the instant
select repository_id, stay, run
from checks
where repository_id {among $1 integer}
    and started_at is not null
    and (repository_id, run) in (
        select repository_id, run
        from runs
        where repository_id {among $1 integer}
            and has_start
            and started_at <= cast($2 as bigint)
            and (ended_at is null or ended_at > cast($2 as bigint))
    )
order by repository_id, stay, run;
