-- The repositories that have causes of notices which are due and were not sent on yet.
-- $1 now, $2 older ones are never sent
select distinct repository_id
from causes
where done_at is null and due_at <= $1 and happened_at > $2;
