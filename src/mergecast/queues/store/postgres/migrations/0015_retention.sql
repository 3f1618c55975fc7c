-- oldest program: 1
--
-- What was deleted because it was old, and what arrived although it was older.

-- Everything that ended since this instant is stored; null: nothing was deleted because of its age.
alter table repository_state add column kept_since bigint;

create table expired (
    repository_id integer not null,
    source text not null,
    kind text not null,
    times bigint not null,
    primary key (repository_id, source, kind)
);
