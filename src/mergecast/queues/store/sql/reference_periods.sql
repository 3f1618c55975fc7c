-- All reference periods, each with its last comparison.
-- $1 repository
select name, document, compared_at, comparison
from reference_periods
where repository_id = $1
order by name {bytewise};
