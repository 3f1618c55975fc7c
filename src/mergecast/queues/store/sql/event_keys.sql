-- The keys of events, which follow from their ids.
-- $1 repository, $2 first number, $3 last number
select
    number,
    key_high,
    key_low
from events
where repository_id = $1
    and number between cast($2 as bigint) and cast($3 as bigint);
