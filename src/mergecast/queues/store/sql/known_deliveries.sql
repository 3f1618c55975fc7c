-- Which of these deliveries are stored? The same body, or the same id, always belongs to the same thread.
-- $1 repository, $2 numbers of the threads, $3 ids, $4 digests of bodies
select thread, guid, digest
from deliveries
where repository_id = $1
    and thread {among $2 bigint}
    and (guid {among $3 text} or digest {among $4 bytea});
