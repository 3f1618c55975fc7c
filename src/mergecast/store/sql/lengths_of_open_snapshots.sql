-- How long each record of an open pull request is, the newest first. The records themselves stay where they are:
-- all of them together may be more than the memory holds.
-- $1 repository
select number, length(document)
from snapshots
where repository_id = $1 and is_open
order by number desc;
