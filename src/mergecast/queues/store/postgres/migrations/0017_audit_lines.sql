-- oldest program: 1
--
-- Who deleted something or changed a setting. They belong to no repository, because they outlive it.

create table audit_lines (
    id text collate "C" primary key, -- sorted in order of time
    happened_at bigint not null,
    owner text,
    repository text,
    document text not null
);
