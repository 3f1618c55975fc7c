-- The targets of a repository and its queues, in JSON.

create table targets (
    repository_id integer not null,
    document text not null
);
