-- The numbers of some texts.
-- $1 repository, $2 texts
select text, number
from ci_texts
where repository_id = $1 and text in (select unnest($2::text[]));
