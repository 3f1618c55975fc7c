-- Which products are enabled on a repository: names joined by commas, empty for none; no row while never
-- set. A repository that has this setting is known without any event, so that it has no first and last one.

create table product_settings (
    repository_id integer not null,
    products text not null
);

alter table repositories alter column first_at drop not null;

alter table repositories alter column last_at drop not null;
