-- Which CI runs tested the pull requests of some CI runs with the same commits?
-- $1 repository, $2 the CI runs, $3 the instant before which no stay may have ended, $4 the one before which runs begin
-- A stay has one commit. Another stay counts if its commit is known to be the same. What ended before the period that
-- is asked about does not count, because it may have expired.
with asked as (
    select subjects.number as run
    from ci_runs
    join subjects
        on subjects.repository_id = $1
        and subjects.key_high = ci_runs.key_high
        and subjects.key_low = ci_runs.key_low
    where ci_runs.repository_id = $1 and ci_runs.run {among $2 bigint}
), concerned as (
    select distinct checks.stay
    from checks
    join asked on asked.run = checks.run
    where checks.repository_id = $1
), commits as (
    select distinct stays.pull_request, stays.head_sha
    from stays
    join concerned on concerned.stay = stays.stay
    where stays.repository_id = $1 and stays.head_sha is not null
), alike as (
    select stay from concerned
    union
    select stays.stay
    from stays
    join commits on commits.pull_request = stays.pull_request and commits.head_sha = stays.head_sha
    where stays.repository_id = $1
)
select
    checks.stay,
    stays.pull_request,
    stays.head_sha,
    stays.entered_at,
    stays.left_at,
    groups.base_ref,
    checks.started_at,
    ci_runs.run
from alike
join checks on checks.repository_id = $1 and checks.stay = alike.stay
left join stays on stays.repository_id = $1 and stays.stay = alike.stay
join groups on groups.repository_id = $1 and groups.group_id = checks.started_group
join subjects on subjects.repository_id = $1 and subjects.number = checks.run
join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low
where checks.started_at < cast($4 as bigint) and (stays.left_at is null or stays.left_at >= cast($3 as bigint))
order by checks.started_at, checks.stay, ci_runs.run;
