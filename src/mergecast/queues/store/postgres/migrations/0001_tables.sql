-- oldest program: 1
--
-- Instants are microseconds since the epoch. Every table that grows begins with `repository_id`, and every index
-- too, so that a statement about one repository reads no row of another.

create sequence repository_ids as integer;

create table repositories (
    repository_id integer primary key,
    owner text not null,
    name text not null,
    folded text not null unique -- `owner/name` in lower case: names compare without case
);

-- A change of a repository locks its row here.
create table repository_state (
    repository_id integer primary key,
    version bigint not null,
    events bigint not null,
    first_at bigint,
    last_at bigint,
    products text, -- joined by commas, null while never set
    snapshots bigint not null,
    recordings bigint not null,
    last_event bigint not null,
    last_subject bigint not null,
    last_group integer not null
);

create table groups (
    repository_id integer not null,
    group_id integer not null,
    base_ref text not null,
    queue_name text not null,
    priority_rule_name text,
    primary key (repository_id, group_id)
);

-- Three names of 255 characters can exceed the limit of an index row; their digests do not.
create unique index groups_by_name on groups (
    repository_id, md5(base_ref), md5(queue_name), coalesce(md5(priority_rule_name), '')
);

create table subjects (
    repository_id integer not null,
    number bigint not null,
    key_high bigint not null,
    key_low bigint not null,
    primary key (repository_id, key_high, key_low)
);

create index subjects_by_number on subjects (repository_id, number);

create table events (
    repository_id integer not null,
    number bigint not null,
    key_high bigint not null,
    key_low bigint not null,
    group_id integer not null,
    stay bigint,
    run bigint,
    batch_size integer,
    id text not null,
    type text not null,
    happened_at bigint not null,
    source text not null,
    session_id text,
    pull_request bigint,
    batch_id text,
    attempt integer,
    batch_pull_requests text,
    reason text,
    outcome text,
    schedule_wait bigint,
    freeze_wait bigint,
    depth integer,
    culprit_found boolean,
    max_failures_reached boolean,
    primary key (repository_id, key_high, key_low)
);

create index events_by_number on events (repository_id, number);
create index events_by_stay on events (repository_id, stay);
create index events_by_run on events (repository_id, run);
create index events_by_instant on events (repository_id, happened_at) include (group_id);

create table stays (
    repository_id integer not null,
    stay bigint not null,
    pull_request bigint,
    entered_at bigint,
    entered_group integer,
    left_at bigint,
    left_group integer,
    reason text,
    batch_id text,
    retries integer not null,
    queue_time bigint,
    ci_runtime bigint,
    idle_capacity bigint,
    idle_schedule bigint,
    idle_freeze bigint
);

create index stays_by_number on stays (repository_id, stay);
create index stays_by_left_at on stays (repository_id, left_at) include (
    left_group, reason, queue_time, ci_runtime, idle_capacity, idle_schedule, idle_freeze, retries
);
create index stays_by_entered_at on stays (repository_id, entered_at) include (
    entered_group, left_at, pull_request
);

create table checks (
    repository_id integer not null,
    stay bigint not null,
    run bigint not null,
    started_at bigint,
    started_group integer,
    batch_size integer,
    ended_at bigint,
    ended_group integer,
    outcome text
);

create index checks_by_stay on checks (repository_id, stay);
create index checks_by_ended_at on checks (repository_id, ended_at) include (ended_group, outcome);

create table runs (
    repository_id integer not null,
    run bigint not null,
    group_id integer not null,
    has_start boolean not null,
    has_verdict boolean not null,
    started_at bigint,
    ended_at bigint,
    batch_size integer
);

create index runs_by_number on runs (repository_id, run);
create index runs_by_started_at on runs (repository_id, started_at) include (
    run, group_id, has_start, ended_at, batch_size
);
create index runs_by_ended_at on runs (repository_id, ended_at) include (
    run, group_id, has_verdict, started_at
);

create table bisection_starts (
    repository_id integer not null,
    bisection bigint not null,
    depth integer not null,
    started_at bigint not null,
    group_id integer not null,
    batch_size integer not null
);

create index bisection_starts_by_number on bisection_starts (repository_id, bisection);
create index bisection_starts_by_instant on bisection_starts (repository_id, started_at);

create table bisection_ends (
    repository_id integer not null,
    bisection bigint not null,
    ended_at bigint not null,
    group_id integer not null,
    culprit_found boolean not null,
    max_failures_reached boolean not null
);

create index bisection_ends_by_number on bisection_ends (repository_id, bisection);
create index bisection_ends_by_instant on bisection_ends (repository_id, ended_at);

create table snapshots (
    repository_id integer not null,
    number bigint not null,
    is_open boolean not null,
    document text not null,
    primary key (repository_id, number)
);

create table application_keys (
    id text primary key,
    digest text not null,
    name text not null,
    owner text not null,
    scopes text not null,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint
);

-- Raised by every change of the keys, so that each server knows when to read them again.
create table key_state (version bigint not null);
insert into key_state values (1);

-- Covering indexes are read without the table only where pages are vacuumed: do that soon after inserts.
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
alter table stays set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
alter table checks set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
alter table runs set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
