-- These threads were translated with this version.
-- $1 repository, $2 their numbers, $3 version
update threads
set translation = $3
where repository_id = $1 and number {among $2 bigint};
