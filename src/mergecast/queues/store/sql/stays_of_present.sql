-- Which stays do the pull requests have that are in a queue at an instant? Those that have ended are among them.
-- $1 repository, $2 the instant
select stay, pull_request, entered_group, entered_at, left_at
from stays
where repository_id = $1
    and entered_at <= $2::bigint
    and pull_request in (
        select pull_request
        from stays
        where repository_id = $1
            and entered_at <= $2::bigint
            and (left_at is null or left_at > $2::bigint)
    )
order by entered_at, stay;
