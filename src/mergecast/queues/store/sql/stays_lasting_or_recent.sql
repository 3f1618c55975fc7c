-- Which stays last at an instant, as far as their ends say, and which others began since another instant?
-- $1 repository, $2 the instant, $3 the other one
select stay, pull_request, entered_group, entered_at, left_at
from stays
where repository_id = $1
    and pull_request is not null
    and entered_group is not null
    and entered_at <= cast($2 as bigint)
    and (left_at is null or left_at > cast($2 as bigint) or entered_at >= cast($3 as bigint));
