-- When did each source of some repositories last deliver something, and how much of it was not translated?
-- $1 repositories
select repository_id, source, max(reported_at) as reported_at, sum(times) as untranslated
from (
    select repository_id, source, last_at as reported_at, 0 as times
    from sources
    where repository_id {among $1 integer}
    union all
    select repository_id, source, reached, 0
    from cursors
    where repository_id {among $1 integer}
    union all
    select repository_id, source, null, times
    from untranslated
    where repository_id {among $1 integer}
    union all
    select repository_id, source, null, 0
    from skipped_deliveries
    where repository_id {among $1 integer}
) as reports
group by repository_id, source
order by repository_id, source {bytewise};
