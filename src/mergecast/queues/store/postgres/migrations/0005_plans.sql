-- oldest program: 1
--
-- An answer reads the rows of one repository, through the index that fits its window. Statistics about
-- `repository_id` would only mislead the planner: between two runs of `analyze`, a repository that is new is
-- taken to have no rows, and one that used to be alone to have all of them. Without them every repository counts
-- as a two-hundredth of the table. Citus does not support this setting on distributed tables.
do $$
declare
    grown text;
begin
    if exists (select from pg_extension where extname = 'citus') then
        return;
    end if;
    foreach grown in array array[
        'groups', 'subjects', 'events', 'stays', 'checks', 'runs', 'bisection_starts', 'bisection_ends',
        'snapshots', 'deliveries', 'threads', 'thread_links', 'waiting_threads', 'untranslated', 'pull_requests'
    ] loop
        -- Setting the type that the column has deletes the statistics collected so far, and rewrites nothing.
        execute format(
            'alter table %I alter column repository_id type integer, alter column repository_id set statistics 0',
            grown
        );
    end loop;
end
$$;

-- Few stays end this way, and the other indexes do not have their batches.
create index stays_by_saved_batch on stays (repository_id, left_at) include (left_group, batch_id)
where reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED' and batch_id is not null;

create index dictionaries_by_repository on dictionaries (repository_id);
create index skipped_deliveries_by_repository on skipped_deliveries (repository_id);
create index sources_by_repository on sources (repository_id);
create index cursors_by_repository on cursors (repository_id);
