-- How many events does a repository have, and when were the first and the last?
-- $1 repository
select
    count(*),
    min(happened_at),
    max(happened_at)
from events
where repository_id = $1;
