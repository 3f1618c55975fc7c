-- How many pull requests were in the queue, from instant to instant?
-- $1 repository, $2 start and $3 end of what is observed, $4 groups, $5 width of an interval, $6 shift
--
-- Every entering and leaving is an edge. Edges are sorted by group and instant; the sum of those so far
-- is the size that holds until the next one. The steps of a group add up to nothing at its end, so one
-- sum can run through all groups. Edges that change nothing stand at the bounds of the intervals and cut
-- the steps there; the last one ends the group.
with missed as (
    -- A stay that has not left ended when the same pull request entered the same queue again.
    select
        stay.stay,
        min(later.entered_at) as ended_at
    from stays as stay
    join groups as place on place.group_id = stay.entered_group
    join stays as later
        on later.repository_id = $1
        and later.pull_request = stay.pull_request
        and later.entered_at > stay.entered_at
    join groups as later_place
        on later_place.group_id = later.entered_group
        and later_place.base_ref = place.base_ref
        and later_place.queue_name = place.queue_name
    where stay.repository_id = $1
        and stay.left_at is null
        and stay.entered_at < $3::bigint
    group by stay.stay
),
spans as (
    select
        entered_group as group_id,
        greatest(entered_at, $2::bigint) as span_start,
        least(left_at, $3::bigint) as span_end
    from stays
    where repository_id = $1
        and entered_at < $3::bigint
        and left_at > $2::bigint
        and left_at > entered_at
        and entered_group in (select unnest($4::integer[]))
    union all
    select
        stays.entered_group,
        greatest(stays.entered_at, $2::bigint),
        least(coalesce(missed.ended_at, $3::bigint), $3::bigint)
    from stays
    left join missed on missed.stay = stays.stay
    where stays.repository_id = $1
        and stays.left_at is null
        and stays.entered_at < $3::bigint
        and coalesce(missed.ended_at, $3::bigint) > $2::bigint
        and stays.entered_group in (select unnest($4::integer[]))
),
bounds as (
    select unnest(array[$2::bigint, $3::bigint]) as instant
    union all
    select number * $5::bigint - $6::bigint
    from generate_series(
        ($2::bigint + $6::bigint) / $5::bigint + 1, ($3::bigint + $6::bigint - 1) / $5::bigint
    ) as numbers(number)
),
edges as (
    select group_id, span_start as instant, 1 as change from spans
    union all
    select group_id, span_end, -1 from spans
    union all
    select present.group_id, bounds.instant, 0
    from (select distinct group_id from spans) as present
    cross join bounds
),
steps as (
    select
        group_id,
        instant,
        sum(change) over sweep as size,
        lead(instant) over sweep as next_instant
    from edges
    window sweep as (order by group_id, instant rows unbounded preceding)
)
select
    group_id,
    (instant + $6::bigint) / $5::bigint as interval_number,
    sum(size * (next_instant - instant)) as size_by_time,
    sum(next_instant - instant) as observed,
    max(size)::bigint as largest,
    min(size)::bigint as smallest
from steps
where next_instant > instant
    and instant < $3::bigint
group by 1, 2
order by 1, 2;
