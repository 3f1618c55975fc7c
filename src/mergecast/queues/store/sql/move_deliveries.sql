-- Give deliveries to another thread.
-- $1 repository, $2 their numbers, $3 number of the thread
update deliveries
set thread = cast($3 as bigint)
where repository_id = $1 and number {among $2 bigint};
