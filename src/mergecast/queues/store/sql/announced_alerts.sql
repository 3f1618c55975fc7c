-- The alerts whose beginning was sent on, with the channels that it was sent to, and whether the end was sent on.
-- What an earlier version has sent is of interest only while it is open.
-- $1 repository
select
    begun.key,
    begun.stored_at,
    begun.announced,
    ended.key is not null as "is_ended [boolean]"
from causes as begun
left join causes as ended
    on ended.repository_id = $1
    and ended.kind = begun.kind
    and ended.key = begun.key
    and ended.phase = 'end'
    and ended.done_at is not null
where begun.repository_id = $1
    and begun.kind = 'alert'
    and begun.phase = 'begin'
    and begun.done_at is not null
    and (begun.announced <> '{}' or (begun.announced is null and ended.key is null))
order by begun.stored_at, begun.key {bytewise};
