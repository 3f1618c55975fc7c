-- The keys of events, which follow from their ids.
-- $1 repository, $2 first number, $3 last number
select
    number,
    key_high,
    key_low
from events
where repository_id = $1
    and number between $2::bigint and $3::bigint;
