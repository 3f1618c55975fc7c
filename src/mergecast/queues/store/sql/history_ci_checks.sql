-- Which CI checks did these CI runs execute? The longest of every run come before the next of any.
-- $1 repository, $2 and $3 the halves of the runs' keys, $4 when each run ended or now, $5 how many per run, $6 how many
with chosen as (
    select
        ci_runs.run,
        ci_runs.batch_id,
        ci_runs.attempt,
        ci_runs.executions,
        ci_runs.failed_name,
        ci_runs.failed_at,
        keys.until
    from ci_runs
    join {given $2 bigint key_high, $3 bigint key_low, $4 bigint until} as keys
        on keys.key_high = ci_runs.key_high
        and keys.key_low = ci_runs.key_low
    where ci_runs.repository_id = $1
        and ci_runs.key_high {among $2 bigint}
),
ranked as (
    select
        chosen.run,
        chosen.batch_id,
        chosen.attempt,
        chosen.executions,
        names.text as name,
        ci_checks.check_id,
        ci_checks.conclusion,
        ci_checks.queued_at,
        ci_checks.started_at,
        ci_checks.ended_at,
        ci_checks.url,
        ci_checks.runner,
        ci_checks.is_required,
        row_number() over (
            partition by ci_checks.run
            order by
                case when ci_checks.conclusion is null then chosen.until else ci_checks.ended_at end
                - ci_checks.started_at desc nulls last,
                names.text {bytewise},
                ci_checks.check_id {bytewise}
        ) as place,
        -- Of several executions of the check that failed at the same instant, one is named.
        min(
            case
                when ci_checks.name = chosen.failed_name
                    and ci_checks.placed_at = chosen.failed_at
                    and ci_checks.conclusion in ('failure', 'timed_out')
                    and ci_checks.is_required is not false
                    then ci_checks.check_id
            end {bytewise}
        ) over (partition by ci_checks.run) as first_failure
    from ci_checks
    join chosen on chosen.run = ci_checks.run
    join ci_texts as names
        on names.repository_id = $1
        and names.number = ci_checks.name
    where ci_checks.repository_id = $1
),
kept as (
    select *, coalesce(check_id = first_failure, false) as is_first_failure
    from ranked
    where place <= cast($5 as bigint)
        or check_id = first_failure
)
select
    kept.batch_id,
    kept.attempt,
    kept.executions,
    kept.place,
    kept.is_first_failure as "is_first_failure [boolean]",
    kept.name,
    kept.check_id,
    kept.conclusion,
    kept.queued_at,
    kept.started_at,
    kept.ended_at,
    kept.url,
    runners.text,
    kept.is_required as "is_required [boolean]"
from kept
left join ci_texts as runners
    on runners.repository_id = $1
    and runners.number = kept.runner
order by kept.is_first_failure desc, kept.place, kept.run
limit cast($6 as bigint);
