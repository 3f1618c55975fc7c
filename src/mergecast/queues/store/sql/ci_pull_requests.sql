-- Which pull requests did some CI runs test?
-- $1 repository, $2 numbers of the runs among the subjects
select distinct checks.run, stays.pull_request
from checks
join stays on stays.repository_id = $1 and stays.stay = checks.stay
where checks.repository_id = $1
    and checks.run {among $2 bigint}
    and stays.pull_request is not null
order by 1, 2;
