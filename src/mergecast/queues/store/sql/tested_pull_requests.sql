-- Which of these pull requests have had a CI run in a stay that has not ended?
-- $1 repository, $2 pull requests
select distinct stays.pull_request
from stays
join checks
    on checks.repository_id = $1
    and checks.stay = stays.stay
where stays.repository_id = $1
    and stays.left_at is null
    and stays.pull_request in (select unnest($2::bigint[]))
    and checks.ended_at is not null
order by 1;
