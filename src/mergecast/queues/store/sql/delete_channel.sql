-- Delete a channel of notices.
-- $1 id
delete from channels
where id = $1;
