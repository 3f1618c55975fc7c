-- Delete the executions that are selected.
-- $1 repository, $2 source, $3 start, $4 end, $5 placed before; null does not restrict
delete from ci_checks
{selected}
    and ($5::bigint is null or placed_at < $5::bigint);
