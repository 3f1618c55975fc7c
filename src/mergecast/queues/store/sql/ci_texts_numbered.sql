-- Some texts by their numbers.
-- $1 repository, $2 numbers
select text, number
from ci_texts
where repository_id = $1 and number in (select unnest($2::integer[]));
