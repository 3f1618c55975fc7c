-- How many events were translated from each source, when were the first and the last, and how many CI runs
-- have a start that the platform did not report? Sources give the event of such a start an id with this ending.
-- $1 repository
select
    source,
    count(*),
    min(happened_at),
    max(happened_at),
    count(distinct run) filter (where type = 'checks_started' and id like '%/started-derived')
from events
where repository_id = $1 and thread is not null
group by source;
