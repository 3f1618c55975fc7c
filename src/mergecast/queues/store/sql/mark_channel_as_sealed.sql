-- Replace the encrypted target of a channel, unless another server has done so.
-- $1 id, $2 the target as it was, $3 the new one
update channels
set sealed = $3
where id = $1 and sealed = $2;
