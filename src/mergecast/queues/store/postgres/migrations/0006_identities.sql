-- oldest program: 1
--
-- Every row of a table that grows has an identity, which logical replication needs: Citus moves shards with it
-- while rows are changed. A primary key takes the place of an index that had the same first columns. Small tables
-- whose rows have no key of their own replicate whole rows.

alter table stays add constraint stays_pkey primary key (repository_id, stay);
drop index stays_by_number;

alter table checks add constraint checks_pkey primary key (repository_id, stay, run);
drop index checks_by_stay;

alter table runs add constraint runs_pkey primary key (repository_id, run, group_id);
drop index runs_by_number;

alter table bisection_starts add constraint bisection_starts_pkey primary key (repository_id, bisection, depth);
drop index bisection_starts_by_number;

alter table bisection_ends add constraint bisection_ends_pkey primary key (repository_id, bisection);
drop index bisection_ends_by_number;

alter table deliveries add constraint deliveries_pkey primary key (repository_id, number);
drop index deliveries_by_number;

alter table threads add constraint threads_pkey primary key (repository_id, number);
drop index threads_by_number;

alter table thread_links add constraint thread_links_pkey primary key (repository_id, thread, is_owner, name);
drop index thread_links_by_thread;

alter table pull_requests add constraint pull_requests_pkey primary key (repository_id, number);
drop index pull_requests_by_number;

alter table sources add constraint sources_pkey primary key (repository_id, source, kind);
drop index sources_by_repository;

alter table cursors add constraint cursors_pkey primary key (repository_id, source);
drop index cursors_by_repository;

alter table dictionaries replica identity full;
alter table waiting_threads replica identity full;
alter table untranslated replica identity full;
alter table skipped_deliveries replica identity full;

-- A repository is found by its name, by its id on the platform and by its former names. On Citus this table is on
-- the coordinator, so that finding a repository does not depend on any worker. The state row has the same values.
alter table repositories add column platform_id bigint;
alter table repositories add column former_names text; -- in lower case, joined by commas

create temporary table found_by on commit drop as
select repository_id, platform_id, former_names
from repository_state
where platform_id is not null or former_names is not null;

update repositories
set platform_id = found_by.platform_id, former_names = found_by.former_names
from found_by
where found_by.repository_id = repositories.repository_id;

drop index repositories_by_platform_id;

create index repositories_by_platform_id on repositories (platform_id) where platform_id is not null;
