-- oldest program: 1
--
-- Browsers that are signed in, and one-time codes that sign them in. Digests are hexadecimal.

create table sessions (
    digest text primary key,
    is_code boolean not null,
    kind text not null,
    name text not null,
    credential text not null,
    key_id text,
    sealed text,
    created_at bigint not null,
    expires_at bigint not null
);

create index sessions_by_credential on sessions (credential, created_at);

-- For the history of one pull request.
create index stays_by_pull_request on stays (repository_id, pull_request);
