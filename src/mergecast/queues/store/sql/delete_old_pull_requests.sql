-- Delete what is known about some pull requests, unless it is new.
-- $1 repository, $2 numbers, $3 the instant since when it would be new
delete from pull_requests
where repository_id = $1
    and number {among $2 bigint}
    and known_at < cast($3 as bigint)
    and (positioned_at is null or positioned_at < cast($3 as bigint));
