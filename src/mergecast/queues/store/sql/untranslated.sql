-- What could not be translated.
-- $1 repository
select source, reason, sum(times), max(last_at)
from untranslated
where repository_id = $1
group by source, reason
order by source, 3 desc, reason;
