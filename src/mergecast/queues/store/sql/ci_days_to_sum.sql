-- Which days are over and quiet, and not summed?
-- $1 repository, $2 today, $3 the last change of a quiet day, $4 how many
select day
from ci_days
where repository_id = $1
    and not is_summed
    and day < cast($2 as integer)
    and changed_at <= cast($3 as bigint)
order by day
limit cast($4 as bigint);
