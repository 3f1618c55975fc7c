-- On which days are executions that are selected?
-- $1 repository, $2 source, $3 start, $4 end, $5 placed before; null does not restrict
select distinct cast(placed_at / 86400000000 as integer) as day
from ci_checks
{selected}
    and (cast($5 as bigint) is null or placed_at < cast($5 as bigint));
