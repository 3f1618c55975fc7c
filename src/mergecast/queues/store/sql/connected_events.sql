-- Which events belong to some stays, CI runs, bisections or threads? An event may come several times.
-- $1 repository, $2 numbers of the stays, CI runs and bisections, $3 numbers of the threads
select number, key_high, key_low, stay, run, thread, type, happened_at, pull_request, batch_id
from events
where repository_id = $1
    and stay {among $2 bigint}
union all
select number, key_high, key_low, stay, run, thread, type, happened_at, pull_request, batch_id
from events
where repository_id = $1
    and run {among $2 bigint}
union all
select number, key_high, key_low, stay, run, thread, type, happened_at, pull_request, batch_id
from events
where repository_id = $1
    and thread {among $3 bigint};
