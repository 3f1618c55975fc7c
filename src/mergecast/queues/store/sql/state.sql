-- The state of a repository: counts of its content.
-- $1 repository
select
    version,
    events,
    snapshots,
    products
from repository_state
where repository_id = $1;
