-- Which checks failed in a CI run and passed in the next run of the same pull requests on the same base commit?
-- $1 repository, $2 start, $3 end, $4 check; null for all
-- The base commit is certainly the same if both runs began while no other run was in progress on the base branch, and
-- nothing was merged into it in between. A run of a longer time than a day is not looked for.
with failed as (
    select distinct
        ci_checks.name,
        ci_checks.run as ci_run,
        subjects.number as run
    from ci_checks
    join ci_runs on ci_runs.repository_id = $1 and ci_runs.run = ci_checks.run
    join subjects
        on subjects.repository_id = $1
        and subjects.key_high = ci_runs.key_high
        and subjects.key_low = ci_runs.key_low
    where ci_checks.repository_id = $1
        and ci_checks.placed_at >= $2::bigint
        and ci_checks.placed_at < $3::bigint
        and ci_checks.conclusion in ('failure', 'timed_out')
        and ($4::integer is null or ci_checks.name = $4::integer)
), concerned as (
    select distinct stays.pull_request
    from checks
    join stays on stays.repository_id = $1 and stays.stay = checks.stay
    where checks.repository_id = $1 and checks.run in (select run from failed)
), tested as (
    select
        checks.run,
        min(checks.started_at) as started_at,
        max(checks.batch_size) as batch_size,
        count(distinct stays.pull_request) as members,
        min(groups.base_ref) as base_ref,
        string_agg(distinct stays.pull_request::text, ',' order by stays.pull_request::text) as pulls
    from checks
    join stays on stays.repository_id = $1 and stays.stay = checks.stay
    join groups on groups.repository_id = $1 and groups.group_id = checks.started_group
    where checks.repository_id = $1
        and checks.started_at >= $2::bigint - 604800000000
        and checks.started_at < $3::bigint + 604800000000
        and stays.pull_request in (select pull_request from concerned)
    group by checks.run
), pairs as (
    select
        run,
        started_at,
        base_ref,
        lead(run) over following as next_run,
        lead(started_at) over following as next_started_at
    from tested
    where members = batch_size
    window following as (partition by base_ref, pulls order by started_at, run)
), candidates as (
    select failed.name, failed.ci_run, pairs.*
    from failed
    join pairs on pairs.run = failed.run
    where pairs.next_run is not null
), passing as (
    select candidates.*
    from candidates
    join subjects on subjects.repository_id = $1 and subjects.number = candidates.next_run
    join ci_runs
        on ci_runs.repository_id = $1
        and ci_runs.key_high = subjects.key_high
        and ci_runs.key_low = subjects.key_low
    join ci_checks
        on ci_checks.repository_id = $1
        and ci_checks.run = ci_runs.run
        and ci_checks.name = candidates.name
    where ci_checks.conclusion = 'success'
)
select distinct passing.ci_run, passing.name
from passing
where not exists (
    select 1
    from stays
    join groups on groups.repository_id = $1 and groups.group_id = stays.left_group
    where stays.repository_id = $1
        and stays.reason in ({merged_reasons})
        and groups.base_ref = passing.base_ref
        and stays.left_at >= passing.started_at
        and stays.left_at <= passing.next_started_at
)
and not exists (
    select 1
    from runs
    join groups on groups.repository_id = $1 and groups.group_id = runs.group_id
    where runs.repository_id = $1
        and groups.base_ref = passing.base_ref
        and runs.run <> passing.run
        and runs.started_at <= passing.started_at
        and runs.ended_at > passing.started_at
        and runs.ended_at <= passing.started_at + 86400000000
)
and not exists (
    select 1
    from runs
    join groups on groups.repository_id = $1 and groups.group_id = runs.group_id
    where runs.repository_id = $1
        and groups.base_ref = passing.base_ref
        and runs.run <> passing.next_run
        and runs.started_at <= passing.next_started_at
        and runs.ended_at > passing.next_started_at
        and runs.ended_at <= passing.next_started_at + 86400000000
);
