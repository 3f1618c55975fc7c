-- The causes of notices that were not sent on yet, oldest first.
-- $1 repository, $2 older ones are never sent
select kind, key, phase, happened_at, base_ref, queue_name, document, stored_at, due_at
from causes
where repository_id = $1 and done_at is null and happened_at > $2
order by stored_at, kind collate "C", key collate "C", phase collate "C";
