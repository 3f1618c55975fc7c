-- Which days are over and quiet, and not summed?
-- $1 repository, $2 today, $3 the last change of a quiet day, $4 how many
select day
from ci_days
where repository_id = $1
    and not is_summed
    and day < $2::integer
    and changed_at <= $3::bigint
order by day
limit $4::bigint;
