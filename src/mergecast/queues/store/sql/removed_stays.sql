-- How some stays ended.
-- $1 repository, $2 numbers of the stays
select stay, pull_request, entered_at, left_at, left_group, reason, queue_time
from stays
where repository_id = $1 and stay in (select unnest($2::bigint[]));
