-- Keys that the operator gives to applications. What is stored is the SHA-256 of a key, in hexadecimal;
-- the key itself is shown once, when it is made. Scopes are separated by blanks. A revoked key has no row.

create table application_keys (
    id text not null,
    digest text not null,
    name text not null,
    owner text not null,
    scopes text not null,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint
);
