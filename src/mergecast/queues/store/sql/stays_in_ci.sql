-- Which stays are part of a CI run that has started and not ended at an instant?
-- $1 repository, $2 the instant
select stay, run
from checks
where repository_id = $1
    and started_at is not null
    and run in (
        select run
        from runs
        where repository_id = $1
            and has_start
            and started_at <= $2::bigint
            and (ended_at is null or ended_at > $2::bigint)
    )
order by stay, run;
