-- In which groups did something happen since an instant?
-- $1 repository, $2 instant
select group_id
from groups
where repository_id = $1
    and exists (
        select 1
        from events
        where events.repository_id = $1
            and events.group_id = groups.group_id
            and events.happened_at >= cast($2 as bigint)
    );
