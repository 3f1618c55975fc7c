-- All names of checks, runners, base branches and queues in reports.
-- $1 repository
select number, text
from ci_texts
where repository_id = $1;
