-- Delete what is known about some pull requests, to write it again.
-- $1 repository, $2 numbers
delete from pull_requests
where repository_id = $1 and number in (select unnest($2::bigint[]));
