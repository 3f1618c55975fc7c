-- Add a GitHub App, unless there is one with this id.
-- $1 id, $2 slug, $3 owner, $4 url, $5 sealed, $6 has_webhook, $7 installed, $8 created_at
insert into github_apps (id, slug, owner, url, sealed, has_webhook, installed, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing;
