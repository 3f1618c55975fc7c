-- Which batches do these CI runs and bisections belong to?
-- $1 repository, $2 numbers of the runs
select run, min(batch_id {bytewise})
from events
where repository_id = $1
    and run {among $2 bigint}
    and batch_id is not null
group by run;
