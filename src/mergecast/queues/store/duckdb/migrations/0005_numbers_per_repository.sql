-- Versions and numbers of events, subjects and groups belong to the repository. A repository that existed before
-- goes on after the last number of the whole store, so that nothing that is stored has to change. The number of
-- products and snapshots moves into the same row. Only ids of repositories still come from one sequence.

create table repository_state (
    repository_id integer not null,
    version bigint not null,
    events bigint not null,
    first_at bigint,
    last_at bigint,
    products text,
    snapshots bigint not null,
    recordings bigint not null,
    last_event bigint not null,
    last_subject bigint not null,
    last_group integer not null
);

insert into repository_state
select
    repositories.repository_id,
    repositories.version,
    repositories.events,
    repositories.first_at,
    repositories.last_at,
    (
        select max(product_settings.products)
        from product_settings
        where product_settings.repository_id = repositories.repository_id
    ),
    (select count(*) from snapshots where snapshots.repository_id = repositories.repository_id),
    0,
    store_state.last_number,
    store_state.last_number,
    store_state.last_group_id
from repositories
cross join store_state;

drop table product_settings;

drop view event_contents;

alter table repositories drop column version;

alter table repositories drop column events;

alter table repositories drop column first_at;

alter table repositories drop column last_at;

alter table store_state drop column last_version;

alter table store_state drop column last_number;

alter table store_state drop column last_group_id;
