-- What has been counted in some queues, and which ends of some subjects were deleted?
-- $1 repository, $2 queues, $3 numbers of the subjects
select 'counts' as kind, queue as number, counts as content
from queue_counts
where repository_id = $1
    and queue {among $2 integer}
union all
select 'withdrawn', subject, type
from withdrawn_ends
where repository_id = $1
    and subject {among $3 bigint};
