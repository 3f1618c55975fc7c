-- All GitHub Apps that were made on a page, the oldest first.
select id, slug, owner, url, sealed, has_webhook as "has_webhook [boolean]", installed, created_at
from github_apps
order by created_at, id {bytewise};
