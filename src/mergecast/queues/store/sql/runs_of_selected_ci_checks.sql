-- Which CI runs have executions that are selected?
-- $1 repository, $2 source, $3 start, $4 end, $5 placed before; null does not restrict
select distinct run
from ci_checks
{selected}
    and (cast($5 as bigint) is null or placed_at < cast($5 as bigint));
