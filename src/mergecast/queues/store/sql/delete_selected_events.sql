-- Delete these events.
-- $1 repository, $2 source or null, $3 first instant or null, $4 instant after the last or null
delete from events
{selected};
