-- Which problems did the queues of a repository have in a window?
-- $1 repository, $2 start of the window, $3 its end
select repository_id, found_at, base_ref, queue_name, name, since, ended_at, document
from queue_problems
where repository_id = $1
    and since < $3::bigint
    and (ended_at is null or ended_at >= $2::bigint)
order by since, base_ref collate "C", queue_name collate "C", name collate "C", found_at;
