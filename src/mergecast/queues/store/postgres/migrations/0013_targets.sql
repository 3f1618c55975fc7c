-- oldest program: 1
--
-- The targets of a repository and its queues, in JSON.

create table targets (
    repository_id integer primary key,
    document text not null
);
