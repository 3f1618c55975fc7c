-- Which of these messages wait already.
-- $1 ids
select id
from notices
where id {among $1 text};
