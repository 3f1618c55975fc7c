-- Note a failed attempt to send a message.
-- $1 id, $2 attempts, $3 when to try again
update notices
set attempts = $2, next_at = $3
where id = $1;
