-- What the state of a repository says of its content.
-- $1 repository
select
    version,
    events,
    snapshots,
    products
from repository_state
where repository_id = $1;
