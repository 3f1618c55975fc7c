-- Which repositories have days that are over and quiet, and not summed?
-- $1 today, $2 the last change of a quiet day
select distinct repository_id
from ci_days
where not is_summed
    and day < cast($1 as integer)
    and changed_at <= cast($2 as bigint);
