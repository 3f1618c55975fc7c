-- Which run of the same pull requests on the same base branch came next after some CI runs?
-- $1 repository, $2 the CI runs, $3 and $4 the period in which both have to begin
-- Joins, and not `in (select …)`: PostgreSQL would search a list of thousands for each row.
with asked as (
    select ci_runs.run as ci_run, subjects.number as run
    from ci_runs
    join subjects
        on subjects.repository_id = $1
        and subjects.key_high = ci_runs.key_high
        and subjects.key_low = ci_runs.key_low
    where ci_runs.repository_id = $1 and ci_runs.run in (select unnest($2::bigint[]))
), concerned as (
    select distinct stays.pull_request
    from checks
    join asked on asked.run = checks.run
    join stays on stays.repository_id = $1 and stays.stay = checks.stay
    where checks.repository_id = $1 and stays.pull_request is not null
), tested as (
    select
        checks.run,
        min(checks.started_at) as started_at,
        min(stays.entered_at) as entered_at,
        max(checks.batch_size) as batch_size,
        count(distinct stays.pull_request) as members,
        min(groups.base_ref) as base_ref,
        string_agg(distinct stays.pull_request::text, ',' order by stays.pull_request::text) as pulls
    from checks
    join stays on stays.repository_id = $1 and stays.stay = checks.stay
    join concerned on concerned.pull_request = stays.pull_request
    join groups on groups.repository_id = $1 and groups.group_id = checks.started_group
    where checks.repository_id = $1
        and checks.started_at >= $3::bigint
        and checks.started_at < $4::bigint
    group by checks.run
), pairs as (
    select
        run,
        started_at,
        entered_at,
        base_ref,
        lead(run) over following as next_run,
        lead(started_at) over following as next_started_at
    from tested
    where members = batch_size
    window following as (partition by base_ref, pulls order by started_at, run)
)
select
    asked.ci_run,
    pairs.run,
    pairs.started_at,
    pairs.entered_at,
    pairs.next_run,
    pairs.next_started_at,
    pairs.base_ref,
    ci_runs.run as next_ci_run
from asked
join pairs on pairs.run = asked.run
join subjects on subjects.repository_id = $1 and subjects.number = pairs.next_run
join ci_runs
    on ci_runs.repository_id = $1
    and ci_runs.key_high = subjects.key_high
    and ci_runs.key_low = subjects.key_low;
