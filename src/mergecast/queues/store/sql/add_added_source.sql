-- Add a repository that is followed, unless there is one with this id.
-- $1 id, $2 source, $3 repository, $4 owner, $5 name, $6 url, $7 sealed, $8 app_id, $9 created_at, $10 created_by,
-- $11 paused_at
insert into added_sources (
    id, source, repository, owner, name, url, sealed, app_id, created_at, created_by, paused_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing;
