-- Who deleted something or changed a setting. They belong to no repository, because they outlive it.

create table audit_lines (
    id text not null, -- sorted in order of time
    happened_at bigint not null,
    owner text,
    repository text,
    document text not null
);
