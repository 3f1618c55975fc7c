-- On which days were checks of some CI runs executed? Days since the epoch.
-- $1 repository, $2 runs, $3 the length of a day
select distinct placed_at / $3::bigint
from ci_checks
where repository_id = $1 and run in (select unnest($2::bigint[]));
