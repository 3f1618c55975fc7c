-- In which CI runs did the checks of these stays fail?
-- $1 repository, $2 numbers of the stays
select stay, run, ended_at
from checks
where repository_id = $1
    and stay {among $2 bigint}
    and outcome in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')
order by ended_at, run, stay;
