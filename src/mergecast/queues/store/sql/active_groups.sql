-- In which groups did anything happen in the window?
-- $1 repository, $2 start, $3 end, $4 groups
select group_id
from groups
where repository_id = $1
    and group_id {among $4 integer}
    and exists (
        select 1
        from events
        where events.repository_id = $1
            and events.group_id = groups.group_id
            and events.happened_at >= cast($2 as bigint)
            and events.happened_at < cast($3 as bigint)
    );
