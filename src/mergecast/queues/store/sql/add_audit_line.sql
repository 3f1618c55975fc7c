-- Add an audit line, unless there is one with this id.
-- $1 id, $2 happened_at, $3 owner, $4 repository, $5 document
insert into audit_lines (id, happened_at, owner, repository, document)
select $1::text, $2::bigint, $3::text, $4::text, $5::text
where not exists (select 1 from audit_lines where id = $1::text);
