-- Delete messages.
-- $1 ids
delete from notices
where id {among $1 text};
