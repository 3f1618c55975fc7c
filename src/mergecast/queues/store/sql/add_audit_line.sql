-- Add an audit line, unless there is one with this id.
-- $1 id, $2 happened_at, $3 owner, $4 repository, $5 document
insert into audit_lines (id, happened_at, owner, repository, document)
select cast($1 as text), cast($2 as bigint), cast($3 as text), cast($4 as text), cast($5 as text)
where not exists (select 1 from audit_lines where id = cast($1 as text));
