-- Which of these checks passed and which failed in these runs?
-- $1 repository, $2 the run of each, $3 the check of each
select distinct run, name, conclusion = 'success' as is_passed
from ci_checks
where repository_id = $1
    and run in (select unnest($2::bigint[]))
    and (run, name) in (select unnest($2::bigint[]), unnest($3::integer[]))
    and conclusion in ('success', 'failure', 'timed_out');
