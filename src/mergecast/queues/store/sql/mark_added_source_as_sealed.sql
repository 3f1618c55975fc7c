-- Replace the encrypted token of an added source, unless it has changed meanwhile.
-- $1 id, $2 the text that was read, $3 the new one
update added_sources
set sealed = $3
where id = $1 and sealed = $2;
