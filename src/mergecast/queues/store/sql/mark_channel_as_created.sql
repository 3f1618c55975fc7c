-- Let a channel begin at another instant, with its digests.
-- $1 id, $2 instant
update channels
set created_at = $2, digest_at = case when digest_at > $2 then $2 else digest_at end
where id = $1;
