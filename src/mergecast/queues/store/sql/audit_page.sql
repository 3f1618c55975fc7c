-- Which audit lines were written, newest first?
-- $1 start, $2 end, $3 owner and $4 repository in lower case or null, $5 only lines before this id or null, $6 limit
select id, happened_at, owner, repository, document
from audit_lines
where happened_at >= $1
  and happened_at < $2
  and ($3::text is null or lower(owner) = $3::text)
  and ($4::text is null or lower(repository) = $4::text)
  and ($5::text is null or id collate "C" < $5::text)
order by id collate "C" desc
limit $6;
