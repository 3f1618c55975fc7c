-- Causes of notices, stored together with what they are about.

create table causes (
    repository_id integer not null,
    kind text not null,
    key text not null,
    phase text not null,
    happened_at bigint not null,
    base_ref text,
    queue_name text,
    document text not null,
    stored_at bigint not null,
    due_at bigint not null,
    done_at bigint
);

-- Where notices go; belongs to no repository. What is secret about a channel is sealed.
create table channels (
    id text not null,
    owner text not null,
    repository text not null,
    kind text not null,
    sealed text not null,
    document text not null,
    created_at bigint not null,
    paused_at bigint,
    result text,
    digest_at bigint
);

-- Messages that a channel has not taken yet.
create table notices (
    id text not null,
    channel_id text not null,
    kind text not null,
    key text not null,
    phase text not null,
    created_at bigint not null,
    document text not null,
    attempts bigint not null,
    next_at bigint not null
);
