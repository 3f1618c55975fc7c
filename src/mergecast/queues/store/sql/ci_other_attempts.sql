-- Which other attempts were there at the batches of some CI runs?
-- $1 repository, $2 the runs
select ci_runs.run, others.run as other
from ci_runs
join ci_runs as others on others.repository_id = $1 and others.batch_id = ci_runs.batch_id
where ci_runs.repository_id = $1
    and ci_runs.run {among $2 bigint}
    and others.run <> ci_runs.run;
