-- oldest program: 21
--
-- Repositories at a platform that were added to a running server; they belong to no repository. Tokens are sealed.

create table added_sources (
    id text primary key, -- follows from the source and the name here, so that none is added twice
    source text not null,
    repository text not null, -- its name on the platform
    owner text not null,
    name text not null,
    url text not null,
    sealed text not null, -- the token; empty if it is read with an app
    app_id text not null, -- empty if it is read with a token
    created_at bigint not null,
    created_by text not null,
    paused_at bigint
);

-- GitHub Apps that were made on a page. What is secret about them is sealed.
create table github_apps (
    id text primary key,
    slug text not null,
    owner text not null,
    url text not null,
    sealed text not null,
    has_webhook boolean not null,
    installed text not null, -- owners of its installations in lower case, a list in JSON
    created_at bigint not null
);
