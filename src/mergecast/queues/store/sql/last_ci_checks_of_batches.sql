-- When was the last execution of a check in some batches?
-- $1 repository, $2 batches
select ci_runs.batch_id, max(ci_checks.placed_at)
from ci_runs
join ci_checks on ci_checks.repository_id = $1 and ci_checks.run = ci_runs.run
where ci_runs.repository_id = $1
    and ci_runs.batch_id {among $2 text}
group by ci_runs.batch_id;
