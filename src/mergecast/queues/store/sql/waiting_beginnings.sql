-- The messages that wait and say that one of these incidents began.
-- $1 ids of incidents
select channel_id, key, id
from notices
where kind = 'alert' and phase = 'begin' and key in (select unnest($1::text[]))
order by id collate "C";
