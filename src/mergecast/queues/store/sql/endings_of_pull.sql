-- When did a pull request enter queues and leave them? Also of stays that no event begins: only the events that
-- ended them say which pull request they belong to.
-- $1 repository, $2 pull request, $3 how many
select stay, pull_request, entered_at, left_at, reason
from stays
where repository_id = $1
    and (pull_request = cast($2 as bigint) or pull_request is null)
limit cast($3 as bigint);
