-- Replace the name, the rules and the schedule of a channel of notices, unless they have changed meanwhile.
-- $1 id, $2 the document that was read, $3 the new one
update channels
set document = $3
where id = $1 and document = $2;
