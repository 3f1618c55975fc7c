-- Which events began these stays and their CI runs?
-- $1 repository, $2 stays
select stay, run, happened_at, id, session_id, batch_id, attempt, batch_pull_requests
from events
where repository_id = $1
    and stay {among $2 bigint}
    and type in ('queue_entered', 'checks_started');
