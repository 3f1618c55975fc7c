-- Which steps did the bisections of these batches take, and how did they end?
-- $1 repository, $2 and $3 the halves of the bisections' keys, $4 how many
with chosen as (
    select subjects.number
    from subjects
    join (select unnest($2::bigint[]) as key_high, unnest($3::bigint[]) as key_low) as keys
        on keys.key_high = subjects.key_high
        and keys.key_low = subjects.key_low
    where subjects.repository_id = $1
        and subjects.key_high in (select unnest($2::bigint[]))
),
ranked as (
    select
        batch_id,
        depth,
        batch_pull_requests,
        happened_at,
        culprit_found,
        max_failures_reached,
        row_number() over (partition by run, depth order by happened_at, id collate "C") as place
    from events
    where repository_id = $1
        and run in (select number from chosen)
)
select
    batch_id,
    depth,
    batch_pull_requests,
    happened_at,
    culprit_found,
    max_failures_reached
from ranked
where place = 1
order by batch_id collate "C", depth nulls last
limit $4::bigint;
