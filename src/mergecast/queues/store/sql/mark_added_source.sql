-- Note since when a repository is not followed any more; null if it is.
-- $1 id, $2 paused_at
update added_sources
set paused_at = $2
where id = $1;
