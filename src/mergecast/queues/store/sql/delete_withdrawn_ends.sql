-- Forget which ends of some stays, CI runs and bisections were deleted.
-- $1 repository, $2 their numbers
delete from withdrawn_ends
where repository_id = $1 and subject in (select unnest($2::bigint[]));
