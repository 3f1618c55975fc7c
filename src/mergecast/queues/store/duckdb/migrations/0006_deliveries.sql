-- What sources delivered, and what translating it needs. The thread of an event says which deliveries it was
-- translated from; events that clients sent have none. The tables of the buckets get that column as well, by the
-- program, because there may be any number of them.

alter table events add column thread bigint;

alter table repository_state add column deliveries bigint default 0;

alter table repository_state add column last_delivery bigint default 0;

alter table repository_state add column platform_id bigint;

alter table repository_state add column former_names text;

create table deliveries (
    repository_id integer not null,
    number bigint not null,
    thread bigint not null,
    source text not null,
    kind text not null,
    guid text not null,
    digest blob not null,
    event text not null,
    action text not null,
    received_at bigint not null,
    happened_at bigint not null,
    is_about_queue boolean not null,
    fields blob not null,
    body blob,
    dictionary text
);

create table dictionaries (
    repository_id integer not null,
    id text not null,
    made_at bigint not null,
    body blob not null
);

create table threads (
    repository_id integer not null,
    number bigint not null,
    source text not null,
    name text not null,
    standing text not null,
    first_at bigint not null,
    last_at bigint not null,
    is_about_queue boolean not null
);

create table thread_links (
    repository_id integer not null,
    thread bigint not null,
    is_owner boolean not null,
    name text not null
);

create table waiting_threads (
    repository_id integer not null,
    thread bigint not null,
    first_at bigint not null,
    last_at bigint not null
);

create table untranslated (
    repository_id integer not null,
    thread bigint not null,
    source text not null,
    reason text not null,
    times bigint not null,
    last_at bigint not null
);

create table skipped_deliveries (
    repository_id integer not null,
    source text not null,
    event text not null,
    action text not null,
    times bigint not null
);

create table sources (
    repository_id integer not null,
    source text not null,
    kind text not null,
    deliveries bigint not null,
    first_at bigint not null,
    last_at bigint not null
);

create table cursors (
    repository_id integer not null,
    source text not null,
    position text,
    reached bigint
);

create table pull_requests (
    repository_id integer not null,
    number bigint not null,
    title text not null,
    author text not null,
    url text not null,
    known_at bigint not null
);

-- Which server follows a source; belongs to no repository.
create table leases (
    name text not null,
    holder text not null,
    until bigint not null,
    next_at bigint,
    error text
);
