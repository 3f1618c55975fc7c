-- The links of failures of some checks in some runs.
-- $1 repository, $2 the run of each, $3 the check of each
select name, runner, placed_at, run, url
from ci_checks
where repository_id = $1
    and run {among $2 bigint}
    and (run, name) in {given $2 bigint run, $3 integer name}
    and conclusion in ('failure', 'timed_out', 'cancelled')
    and url is not null;
