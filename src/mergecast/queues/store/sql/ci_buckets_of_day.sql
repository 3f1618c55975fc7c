-- How many executions of each check ran and waited how long on a day?
-- $1 repository, $2 start, $3 end
select base_ref, queue_name, name, runner, false as is_waiting, seconds_bucket as bucket, count(*) as executions
from ci_checks
where repository_id = $1
    and placed_at >= $2::bigint
    and placed_at < $3::bigint
    and seconds_bucket is not null
group by base_ref, queue_name, name, runner, seconds_bucket
union all
select base_ref, queue_name, name, runner, true as is_waiting, waited_bucket as bucket, count(*) as executions
from ci_checks
where repository_id = $1
    and placed_at >= $2::bigint
    and placed_at < $3::bigint
    and waited_bucket is not null
group by base_ref, queue_name, name, runner, waited_bucket;
