-- What was recommended for a base branch last?
-- $1 repository, $2 base ref
select repository_id, base_ref, computed_at, settings_version, document
from recommendations
where repository_id = $1 and base_ref = $2;
