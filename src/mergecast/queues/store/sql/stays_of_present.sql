-- Which stays do the pull requests have that are in a queue at an instant? Those that have ended are among them.
-- $1 repositories, $2 the instant
select repository_id, stay, pull_request, entered_group, entered_at, left_at
from stays
where repository_id {among $1 integer}
    and entered_at <= cast($2 as bigint)
    and (repository_id, pull_request) in (
        select repository_id, pull_request
        from stays
        where repository_id {among $1 integer}
            and entered_at <= cast($2 as bigint)
            and (left_at is null or left_at > cast($2 as bigint))
    )
order by entered_at, repository_id, stay;
