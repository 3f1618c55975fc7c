-- Which of these messages wait already.
-- $1 ids
select id
from notices
where id in (select unnest($1::text[]));
