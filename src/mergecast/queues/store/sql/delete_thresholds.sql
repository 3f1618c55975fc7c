-- Delete the levels that were set for a queue, or for all queues of a base branch or of the repository.
-- $1 repository, $2 base ref, $3 name of the queue; null for all
delete from thresholds
where repository_id = $1
    and ($2::text is null or base_ref = $2::text)
    and ($3::text is null or queue_name = $3::text);
