-- How many executions of each check ran and waited how long on some summed days?
-- $1 repository, $2 days, $3 check; null for all, $4 width of an interval, $5 shift of the intervals
with sums as (
    select
        base_ref,
        queue_name,
        name,
        runner,
        (day * 86400000000 + $5::bigint) / $4::bigint as interval_number,
        seconds_buckets,
        seconds_counts,
        waited_buckets,
        waited_counts
    from ci_day_sums
    where repository_id = $1
        and day in (select unnest($2::integer[]))
        and ($3::integer is null or name = $3::integer)
), counts as (
    select
        base_ref, queue_name, name, runner, interval_number, false as is_waiting,
        unnest(string_to_array(seconds_buckets, ',')) as bucket,
        unnest(string_to_array(seconds_counts, ',')) as many
    from sums
    where seconds_buckets <> ''
    union all
    select
        base_ref, queue_name, name, runner, interval_number, true as is_waiting,
        unnest(string_to_array(waited_buckets, ',')) as bucket,
        unnest(string_to_array(waited_counts, ',')) as many
    from sums
    where waited_buckets <> ''
)
select
    base_ref, queue_name, name, runner, interval_number, is_waiting,
    bucket::integer as bucket,
    sum(many::bigint) as many
from counts
group by 1, 2, 3, 4, 5, 6, 7;
