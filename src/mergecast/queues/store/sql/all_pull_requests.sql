-- Titles, authors, URLs and positions of all pull requests.
-- $1 repository
select repository_id, number, title, author, url, known_at, position, positioned_at
from pull_requests
where repository_id = $1;
