-- The causes of notices that were not sent on yet, and those of the last minutes that happened once, oldest first.
-- $1 repository, $2 older ones are never sent, $3 when the last minutes began
select {causes_columns}
from causes
where repository_id = $1
    and ((done_at is null and happened_at > $2) or (phase = 'once' and stored_at > $3))
order by stored_at, kind {bytewise}, key {bytewise}, phase {bytewise};
