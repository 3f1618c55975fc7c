-- The messages that wait and say that one of these incidents began.
-- $1 ids of incidents
select channel_id, key, id
from notices
where kind = 'alert' and phase = 'begin' and key {among $1 text}
order by id {bytewise};
