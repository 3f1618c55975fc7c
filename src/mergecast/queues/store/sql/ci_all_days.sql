-- The days with executions or sums.
-- $1 repository
select distinct day
from (
    select placed_at / 86400000000 as day from ci_checks where repository_id = $1
    union all
    select day from ci_days where repository_id = $1
    union all
    select day from ci_day_sums where repository_id = $1
) as days
order by day;
