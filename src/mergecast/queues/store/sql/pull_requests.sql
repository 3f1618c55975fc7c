-- Titles, authors, URLs and positions of some pull requests.
-- $1 repository, $2 numbers
select repository_id, number, title, author, url, known_at, position, positioned_at
from pull_requests
where repository_id = $1 and number in (select unnest($2::bigint[]));
