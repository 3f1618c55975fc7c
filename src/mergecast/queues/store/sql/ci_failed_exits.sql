-- Which stays left base branches for their checks, and when had each entered?
-- $1 repository, $2 base branches, $3 start, $4 end, included
select groups.base_ref, stays.left_at, stays.entered_at
from stays
join groups on groups.repository_id = $1 and groups.group_id = stays.left_group
where stays.repository_id = $1
    and stays.reason in ('CHECKS_FAILED', 'CHECKS_TIMEOUT')
    and stays.left_at >= $3::bigint
    and stays.left_at <= $4::bigint
    and groups.base_ref in (select unnest($2::text[]))
order by groups.base_ref, stays.left_at;
