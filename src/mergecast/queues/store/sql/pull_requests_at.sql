-- Which pull requests are in a queue at an instant, as far as the ends of their stays say?
-- $1 repository, $2 the instant
select distinct pull_request
from stays
where repository_id = $1
    and entered_at <= $2::bigint
    and (left_at is null or left_at > $2::bigint);
