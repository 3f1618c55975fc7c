-- Browsers that are signed in, and one-time codes that sign them in. Digests are hexadecimal.

create table sessions (
    digest text not null,
    is_code boolean not null,
    kind text not null,
    name text not null,
    credential text not null,
    key_id text,
    sealed text,
    created_at bigint not null,
    expires_at bigint not null
);
