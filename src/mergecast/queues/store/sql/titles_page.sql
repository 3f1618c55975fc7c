-- Titles, authors and URLs of pull requests up to a number, the newest first.
-- $1 repository, $2 the largest number, $3 how many
select number, title, author, url
from pull_requests
where repository_id = $1 and number <= $2::bigint and title <> ''
order by number desc
limit $3::bigint;
