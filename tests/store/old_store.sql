-- A store as it was before numbers belonged to repositories: the statements that made its tables, and its rows.

create table schema_migrations (number integer not null);

-- The record (events), what names stand for (repositories, groups, subjects) and the facts derived
-- from events. Instants are microseconds since the epoch. No table has a key that the database
-- enforces: one process owns the store and keeps the ids in memory (docs/decisions/0003).

create table store_state (
    last_version bigint not null,
    last_number bigint not null,
    last_repository_id integer not null,
    last_group_id integer not null
);

insert into store_state values (0, 0, 0, 0);

create table repositories (
    repository_id integer not null,
    owner text not null,
    name text not null,
    version bigint not null,
    events bigint not null,
    first_at bigint not null,
    last_at bigint not null
);

create table groups (
    repository_id integer not null,
    group_id integer not null,
    base_ref text not null,
    queue_name text not null,
    priority_rule_name text
);

-- A subject is what several events speak of: a stay, a CI run or a bisection. Its key is a 128-bit
-- digest of the repository, the kind and the names.
create table subjects (
    repository_id integer not null,
    number bigint not null,
    key_high bigint not null,
    key_low bigint not null
);

create table events (
    repository_id integer not null,
    number bigint not null,
    key_high bigint not null,
    key_low bigint not null,
    id text not null,
    type text not null,
    happened_at bigint not null,
    group_id integer not null,
    source text not null,
    session_id text,
    stay bigint,
    pull_request bigint,
    batch_id text,
    run bigint,
    attempt integer,
    batch_pull_requests text,
    batch_size integer,
    reason text,
    outcome text,
    schedule_wait bigint,
    freeze_wait bigint,
    depth integer,
    culprit_found boolean,
    max_failures_reached boolean
);

-- What an event says, with the names of its group: everything that was sent.
create view event_contents as
select
    events.repository_id,
    events.number,
    events.id,
    events.type,
    events.happened_at,
    groups.base_ref,
    groups.queue_name,
    groups.priority_rule_name,
    events.source,
    events.session_id,
    events.pull_request,
    events.batch_id,
    events.attempt,
    events.batch_pull_requests,
    events.reason,
    events.outcome,
    events.schedule_wait,
    events.freeze_wait,
    events.depth,
    events.culprit_found,
    events.max_failures_reached
from events
join groups on groups.group_id = events.group_id;

-- One pull request in one queue. Durations are set when both ends are known.
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

-- One run of CI for one stay as part of one batch.
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

-- One CI run in one group. Start, end and size belong to the run as a whole.
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

create table bisection_starts (
    repository_id integer not null,
    bisection bigint not null,
    depth integer not null,
    started_at bigint not null,
    group_id integer not null,
    batch_size integer not null
);

create table bisection_ends (
    repository_id integer not null,
    bisection bigint not null,
    ended_at bigint not null,
    group_id integer not null,
    culprit_found boolean not null,
    max_failures_reached boolean not null
);

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

-- Which products are enabled on a repository: names joined by commas, empty for none; no row while never
-- set. A repository that has this setting is known without any event, so that it has no first and last one.

create table product_settings (
    repository_id integer not null,
    products text not null
);

alter table repositories alter column first_at drop not null;

alter table repositories alter column last_at drop not null;

-- What the code-hosting platform said of pull requests, as it was recorded: one row for each, as JSON text.
-- A repository that has a snapshot is known, also without any event.

create table snapshots (
    repository_id integer not null,
    number bigint not null,
    is_open boolean not null,
    document text not null
);

delete from store_state;

insert into application_keys values
    ('0123456789ab', '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'ci', 'acme', 'read ingest', 1700000000000000, null, 1700000100000000);

insert into bisection_ends values
    (1, 12, 1772448900000000, 1, true, false);

insert into bisection_starts values
    (1, 12, 0, 1772448600000000, 1, 2);

insert into checks values
    (1, 1, 3, 1772446200000000, 1, 2, 1772448000000000, 1, 'SUCCESS'),
    (1, 2, 3, 1772446200000000, 1, 2, 1772448000000000, 1, 'CHECKS_FAILED');

insert into events values
    (1, 4, -1596097300982200415, -6461597799706138091, '1', 'queue_entered', 1772445600000000, 1, 'api', 'a', 1, 1, null, null, null, null, null, null, null, null, null, null, null, null),
    (1, 5, -9070409746338413268, -2080897737475032905, '2', 'queue_entered', 1772445900000000, 2, 'api', 'b', 2, 2, null, null, null, null, null, null, null, null, null, null, null, null),
    (1, 6, 6604403440973920060, -3641347139005122728, '3', 'checks_started', 1772446200000000, 1, 'api', 'a', 1, 1, 'X', 3, 1, '1,2', 2, null, null, null, null, null, null, null),
    (1, 7, 4626308164374419130, -6506094576412089354, '4', 'checks_started', 1772446200000000, 1, 'api', 'b', 2, 2, 'X', 3, 1, '1,2', 2, null, null, null, null, null, null, null),
    (1, 8, -8588528211857301486, 7562642905414977675, '5', 'checks_ended', 1772448000000000, 1, 'api', 'a', 1, 1, 'X', 3, 1, null, null, null, 'SUCCESS', null, null, null, null, null),
    (2, 10, 1815595850834200363, 2723794055398764388, 'g1', 'queue_entered', 1772445600000000, 3, 'api', 'a', 9, 1, null, null, null, null, null, null, null, null, null, null, null, null),
    (2, 11, 6469754737848074919, 1801452610582616614, 'g2', 'queue_left', 1772448060000000, 3, 'api', 'a', 9, 1, 'X', null, null, null, null, 'PR_MERGED', null, 0, 0, null, null, null),
    (1, 13, -4557891612298904423, -2936408069113547006, '6', 'checks_ended', 1772448000000000, 1, 'api', 'b', 2, 2, 'X', 3, 1, null, null, null, 'CHECKS_FAILED', null, null, null, null, null),
    (1, 14, 4900538995691549874, -897887489516035506, '7', 'queue_left', 1772448060000000, 1, 'api', 'a', 1, 1, 'X', null, null, null, null, 'PR_MERGED', null, 0, 0, null, null, null),
    (1, 15, 3876989257490919384, -1795704005645836237, '8', 'bisection_started', 1772448600000000, 1, 'api', null, null, null, 'X', 12, null, '1,2', 2, null, null, null, null, 0, null, null),
    (1, 16, -4835944866061931175, 4746234654230228810, '9', 'bisection_ended', 1772448900000000, 1, 'api', null, null, null, 'X', 12, null, null, null, null, null, null, null, null, true, false);

insert into groups values
    (1, 1, 'main', 'default', null),
    (1, 2, 'main', 'default', 'urgent'),
    (2, 3, 'main', 'slow', null);

insert into product_settings values
    (1, 'merge_queue,merge_protections'),
    (3, '');

insert into repositories values
    (1, 'Acme', 'widgets', 3, 9, 1772445600000000, 1772448900000000),
    (2, 'acme', 'gadgets', 2, 2, 1772445600000000, 1772448060000000),
    (3, 'acme', 'none', 4, 0, null, null);

insert into runs values
    (1, 3, 1, true, true, 1772446200000000, 1772448000000000, 2);

insert into schema_migrations values
    (1),
    (2),
    (3),
    (4);

insert into snapshots values
    (2, 7, true, '{"number": 7}'),
    (2, 8, false, '{"title": "it''s"}');

insert into stays values
    (2, 9, 1, 1772445600000000, 3, 1772448060000000, 3, 'PR_MERGED', 'X', 0, 2460000000, 0, 2460000000, 0, 0),
    (1, 1, 1, 1772445600000000, 1, 1772448060000000, 1, 'PR_MERGED', 'X', 0, 2460000000, 1800000000, 660000000, 0, 0),
    (1, 2, 2, 1772445900000000, 2, null, null, null, null, 0, null, null, null, null, null);

insert into store_state values
    (4, 16, 3, 3);

insert into subjects values
    (1, 1, 9130267380592166374, -419185364897023181),
    (1, 2, -147199552067555774, 6165209784877847133),
    (1, 3, 2934684577358848, -1315644587032538107),
    (2, 9, 6579670993733113375, -7058863008619833836),
    (1, 12, 3609576917318785088, -2497110759995372269);
