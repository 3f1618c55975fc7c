-- How many events were translated from each source, and when were the first and the last?
-- $1 repository
select
    source,
    count(*),
    min(happened_at),
    max(happened_at)
from events
where repository_id = $1 and thread is not null
group by source;
