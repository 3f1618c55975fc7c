-- All repositories that were added to a running server, the oldest first.
select id, source, repository, owner, name, url, sealed, app_id, created_at, created_by, paused_at
from added_sources
order by created_at, id {bytewise};
