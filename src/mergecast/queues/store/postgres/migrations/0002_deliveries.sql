-- oldest program: 1
--
-- What sources delivered, and what translating it needs. The thread of an event says which deliveries it was
-- translated from; events that clients sent have none.

alter table events add column thread bigint;

create index events_by_thread on events (repository_id, thread) where thread is not null;

alter table repository_state
    add column deliveries bigint not null default 0,
    add column last_delivery bigint not null default 0,
    add column platform_id bigint,
    add column former_names text;

create index repositories_by_platform_id on repository_state (platform_id) where platform_id is not null;

create table deliveries (
    repository_id integer not null,
    number bigint not null,
    thread bigint not null,
    source text not null,
    kind text not null,
    guid text not null,
    digest bytea not null,
    event text not null,
    action text not null,
    received_at bigint not null,
    happened_at bigint not null,
    is_about_queue boolean not null,
    fields bytea not null,
    body bytea,
    dictionary text
);

create index deliveries_by_number on deliveries (repository_id, number);
create index deliveries_by_thread on deliveries (repository_id, thread);

create table dictionaries (
    repository_id integer not null,
    id text not null,
    made_at bigint not null,
    body bytea not null
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

create index threads_by_number on threads (repository_id, number);

create table thread_links (
    repository_id integer not null,
    thread bigint not null,
    is_owner boolean not null,
    name text not null
);

create index thread_links_by_thread on thread_links (repository_id, thread);
create index thread_links_by_name on thread_links (repository_id, name);

create table waiting_threads (
    repository_id integer not null,
    thread bigint not null,
    first_at bigint not null,
    last_at bigint not null
);

create index waiting_threads_by_thread on waiting_threads (repository_id, thread);

create table untranslated (
    repository_id integer not null,
    thread bigint not null,
    source text not null,
    reason text not null,
    times bigint not null,
    last_at bigint not null
);

create index untranslated_by_thread on untranslated (repository_id, thread);

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

create index pull_requests_by_number on pull_requests (repository_id, number);

-- Which server follows a source; belongs to no repository.
create table leases (
    name text primary key,
    holder text not null,
    until bigint not null,
    next_at bigint,
    error text
);
