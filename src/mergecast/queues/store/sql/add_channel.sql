-- Add a channel of notices.
-- $1 id, $2 owner, $3 repository, $4 kind, $5 sealed, $6 document, $7 created_at, $8 the digest sent last
insert into channels (id, owner, repository, kind, sealed, document, created_at, digest_at)
values ($1, $2, $3, $4, $5, $6, $7, $8);
