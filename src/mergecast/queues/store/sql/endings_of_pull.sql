-- When did a pull request enter queues and leave them? The last change comes first. Stays that no event begins
-- come last: only the events that ended them say which pull request they belong to.
-- $1 repository, $2 pull request, $3 how many
select stay, pull_request, entered_at, left_at, reason
from stays
where repository_id = $1
    and (pull_request = $2::bigint or pull_request is null)
order by
    case when pull_request is null then 1 else 0 end,
    case when left_at is null then entered_at else left_at end desc,
    stay desc
limit $3::bigint;
