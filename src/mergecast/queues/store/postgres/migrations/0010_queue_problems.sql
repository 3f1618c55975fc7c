-- oldest program: 1
--
-- Problems of queues, from the instant they were found; how each is described is JSON.

create table queue_problems (
    repository_id integer not null,
    found_at bigint not null,
    base_ref text not null,
    queue_name text not null,
    name text not null,
    since bigint not null,
    ended_at bigint,
    document text not null,
    primary key (repository_id, found_at, base_ref, queue_name, name)
);

-- Levels of problems that a person has set, in millionths of their unit.
create table thresholds (
    repository_id integer not null,
    base_ref text not null,
    queue_name text not null,
    name text not null,
    millionths bigint not null,
    primary key (repository_id, base_ref, queue_name, name)
);

-- Until when the history of a repository was searched for problems of the past.
create table looked_back (
    repository_id integer primary key,
    until bigint not null
);
