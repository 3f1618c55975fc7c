-- Titles, authors and URLs of pull requests up to a number, the newest first.
-- $1 repository, $2 the largest number, $3 how many
select number, title, author, url
from pull_requests
where repository_id = $1 and number <= cast($2 as bigint) and title <> ''
order by number desc
limit cast($3 as bigint);
