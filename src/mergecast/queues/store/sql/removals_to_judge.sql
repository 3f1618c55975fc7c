-- How many removals of a period are still to be judged, by reason?
-- $1 repository, $2 start, $3 end, $4 reasons that are no removals
select groups.base_ref, groups.queue_name, coalesce(stays.reason, 'UNKNOWN'), count(*)
from stays
left join groups on groups.repository_id = $1 and groups.group_id = stays.left_group
left join verdicts on verdicts.repository_id = $1 and verdicts.stay = stays.stay
where stays.repository_id = $1
    and stays.left_at >= cast($2 as bigint)
    and stays.left_at < cast($3 as bigint)
    and stays.left_at >= (
        select min(judged.since)
        from (
            select judge_from as since from repository_state where repository_id = $1
            union all
            select judging_from from repository_state where repository_id = $1
        ) as judged
    )
    and verdicts.stay is null
    and not (coalesce(stays.reason, 'UNKNOWN') {among $4 text})
group by 1, 2, 3;
