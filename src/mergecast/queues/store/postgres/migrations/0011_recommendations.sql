-- oldest program: 1
--
-- What was recommended for a base branch last: at most one row per branch, which is computed again every day.
-- The version says which settings it is about, and the document is the answer of a search, in JSON.

create table recommendations (
    repository_id integer not null,
    base_ref text not null,
    computed_at bigint not null,
    settings_version text not null,
    document text not null,
    primary key (repository_id, base_ref)
);
