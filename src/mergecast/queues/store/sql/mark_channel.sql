-- Note what came of the last message to a channel, and whether it is paused.
-- $1 id, $2 paused_at, $3 result
update channels
set paused_at = $2, result = $3
where id = $1;
