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
