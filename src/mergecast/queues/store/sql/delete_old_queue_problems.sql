-- Delete problems that ended long ago.
-- $1 repository, $2 the instant before which they ended
delete from queue_problems
where repository_id = $1 and ended_at < $2;
