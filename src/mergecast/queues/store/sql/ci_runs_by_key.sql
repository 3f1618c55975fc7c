-- Which of these CI runs have reports?
-- $1 repository, $2 high and $3 low halves of their keys
select {ci_runs_columns}
from ci_runs
where repository_id = $1
    and key_low {among $3 bigint}
    and key_high {among $2 bigint};
