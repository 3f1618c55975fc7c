-- How many executions of each check ran and waited how long on some summed days and in some summed blocks of days?
-- $1 repository, $2 days, $3 the first days of the blocks, $4 check; null for all, $5 width of an interval, $6 shift of
-- the intervals
with sums as (
    select day, base_ref, queue_name, name, runner, seconds_buckets, seconds_counts, waited_buckets, waited_counts
    from ci_day_sums
    where repository_id = $1
        and day in (select unnest($2::integer[]))
        and ($4::integer is null or name = $4::integer)
    union all
    select first_day, base_ref, queue_name, name, runner, seconds_buckets, seconds_counts, waited_buckets, waited_counts
    from ci_block_sums
    where repository_id = $1
        and first_day in (select unnest($3::integer[]))
        and ($4::integer is null or name = $4::integer)
), counts as (
    select
        base_ref, queue_name, name, runner, day, false as is_waiting,
        unnest(string_to_array(seconds_buckets, ',')::integer[]) as bucket,
        unnest(string_to_array(seconds_counts, ',')::bigint[]) as many
    from sums
    where seconds_buckets <> ''
    union all
    select
        base_ref, queue_name, name, runner, day, true as is_waiting,
        unnest(string_to_array(waited_buckets, ',')::integer[]) as bucket,
        unnest(string_to_array(waited_counts, ',')::bigint[]) as many
    from sums
    where waited_buckets <> ''
)
select
    base_ref, queue_name, name, runner,
    (day * 86400000000 + $6::bigint) / $5::bigint as interval_number,
    is_waiting,
    bucket,
    sum(many) as many
from counts
group by 1, 2, 3, 4, 5, 6, 7;
