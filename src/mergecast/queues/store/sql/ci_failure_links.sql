-- The links of failures of some checks in some runs.
-- $1 repository, $2 the run of each, $3 the check of each
select name, runner, placed_at, run, url
from ci_checks
where repository_id = $1
    and run in (select unnest($2::bigint[]))
    and (run, name) in (select unnest($2::bigint[]), unnest($3::integer[]))
    and conclusion in ('failure', 'timed_out', 'cancelled')
    and url is not null;
