-- Delete audit lines that are too old.
-- $1 the oldest that is kept
delete from audit_lines
where happened_at < $1;
