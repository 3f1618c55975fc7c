-- All channels of notices, the oldest first.
select id, owner, repository, kind, sealed, document, created_at, paused_at, result, digest_at
from channels
order by created_at, id {bytewise};
