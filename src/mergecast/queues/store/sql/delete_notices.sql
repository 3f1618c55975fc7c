-- Delete messages.
-- $1 ids
delete from notices
where id in (select unnest($1::text[]));
