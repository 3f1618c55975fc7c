-- Pinned periods of queues, and the alerts against them.

create table baselines (
    repository_id integer not null,
    name text not null,
    document text not null,
    hours text not null,
    compared_at bigint,
    comparison text
);

create table alerts (
    repository_id integer not null,
    id text not null,
    baseline text not null,
    began_at bigint not null,
    ended_at bigint,
    document text not null
);
