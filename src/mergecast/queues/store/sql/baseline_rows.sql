-- All baselines, to copy them.
-- $1 repository
select repository_id, name, document, hours, compared_at, comparison
from baselines
where repository_id = $1
order by name collate "C";
