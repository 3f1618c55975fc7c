-- Which of these checks passed and which failed in these runs?
-- $1 repository, $2 the run of each, $3 the check of each
select distinct run, name, conclusion = 'success' as "is_passed [boolean]"
from ci_checks
where repository_id = $1
    and run {among $2 bigint}
    and (run, name) in {given $2 bigint run, $3 integer name}
    and conclusion in ('success', 'failure', 'timed_out');
