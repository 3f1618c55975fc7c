-- Note until when a channel has got its digests.
-- $1 id, $2 instant
update channels
set digest_at = $2
where id = $1;
