-- Which audit lines were written, newest first?
-- $1 start, $2 end, $3 owner and $4 repository in lower case or null, $5 only lines before this id or null, $6 limit
select id, happened_at, owner, repository, document
from audit_lines
where happened_at >= $1
  and happened_at < $2
  and (cast($3 as text) is null or lower(owner) = cast($3 as text))
  and (cast($4 as text) is null or lower(repository) = cast($4 as text))
  and (cast($5 as text) is null or id {bytewise} < cast($5 as text))
order by id {bytewise} desc
limit $6;
