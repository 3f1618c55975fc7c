-- On which days were checks of some CI runs executed? Days since the epoch.
-- $1 repository, $2 runs, $3 the length of a day
select distinct placed_at / cast($3 as bigint)
from ci_checks
where repository_id = $1 and run {among $2 bigint};
