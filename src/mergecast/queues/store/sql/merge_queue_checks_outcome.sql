-- How did the checks end that ended in the window?
-- $1 repository, $2 start, $3 end, $4 groups
select
    ended_group as group_id,
    outcome collate "C" as outcome,
    count(*) as checks
from checks
where repository_id = $1
    and ended_at >= $2::bigint
    and ended_at < $3::bigint
    and ended_group in (select unnest($4::integer[]))
group by 1, 2
order by 1, 2;
