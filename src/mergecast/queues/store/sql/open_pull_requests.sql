-- Which of these pull requests have a stay without an end?
-- $1 repository, $2 numbers of the pull requests
select distinct pull_request
from stays
where repository_id = $1
    and left_at is null
    and pull_request {among $2 bigint};
