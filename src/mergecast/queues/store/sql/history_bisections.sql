-- Which steps did the bisections of these batches take, and how did they end?
-- $1 repository, $2 and $3 the halves of the bisections' keys, $4 how many
with chosen as (
    select subjects.number
    from subjects
    join {given $2 bigint key_high, $3 bigint key_low} as keys
        on keys.key_high = subjects.key_high
        and keys.key_low = subjects.key_low
    where subjects.repository_id = $1
        and subjects.key_high {among $2 bigint}
),
ranked as (
    select
        batch_id,
        depth,
        batch_pull_requests,
        happened_at,
        culprit_found,
        max_failures_reached,
        row_number() over (partition by run, depth order by happened_at, id {bytewise}) as place
    from events
    where repository_id = $1
        and run {among chosen.number}
)
select
    batch_id,
    depth,
    batch_pull_requests,
    happened_at,
    culprit_found as "culprit_found [boolean]",
    max_failures_reached as "max_failures_reached [boolean]"
from ranked
where place = 1
order by batch_id {bytewise}, depth nulls last
limit cast($4 as bigint);
