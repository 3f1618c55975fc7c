-- What the code-hosting platform said of pull requests, as it was recorded: one row for each, as JSON text.
-- A repository that has a snapshot is known, also without any event.

create table snapshots (
    repository_id integer not null,
    number bigint not null,
    is_open boolean not null,
    document text not null
);
