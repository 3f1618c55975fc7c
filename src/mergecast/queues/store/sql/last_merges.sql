-- When did each group of some repositories last merge a pull request?
-- $1 repositories, $2 start, $3 the instant up to which merges count
select repository_id, left_group, max(left_at) as merged_at
from stays
where repository_id {among $1 integer}
    and left_at >= cast($2 as bigint)
    and left_at <= cast($3 as bigint)
    and reason in ({merged_reasons})
group by repository_id, left_group
order by repository_id, left_group;
