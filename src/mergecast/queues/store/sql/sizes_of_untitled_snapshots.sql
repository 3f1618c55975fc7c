-- The size in bytes of the snapshots of pull requests whose title no source reports, the newest first.
-- $1 repository, $2 the largest number
select snapshots.number, {bytes snapshots.document}
from snapshots
left join pull_requests
    on pull_requests.repository_id = $1
    and pull_requests.number = snapshots.number
    and pull_requests.title <> ''
where snapshots.repository_id = $1
    and snapshots.number <= cast($2 as bigint)
    and pull_requests.number is null
order by snapshots.number desc;
