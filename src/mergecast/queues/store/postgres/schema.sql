-- Instants are microseconds since the epoch. Every table that grows begins with `repository_id`, and every index too, so
-- that a statement about one repository reads no row of another. Every row of such a table has an identity, which logical
-- replication needs: Citus moves shards with it while rows are changed. Small tables whose rows have no key replicate whole
-- rows.

-- What made the tables and changed them: which program did, and the oldest one that may still write.
create table schema_migrations (
    number integer primary key,
    oldest_program integer not null,
    program text not null default 'before 0.1.0'
);

create sequence repository_ids as integer;

-- A repository is found by its name, by its id on the platform and by its former names. On Citus this table is on the
-- coordinator, so that finding a repository depends on no worker.
create table repositories (
    repository_id integer primary key,
    owner text not null,
    name text not null,
    folded text not null unique, -- `owner/name` in lower case: names compare without case
    platform_id bigint,
    former_names text -- in lower case, joined by commas
);
create index repositories_by_platform_id on repositories (platform_id) where platform_id is not null;

-- A change of a repository locks its row here.
create table repository_state (
    repository_id integer primary key,
    version bigint not null,
    events bigint not null,
    first_at bigint,
    last_at bigint,
    products text, -- joined by commas, null while never set
    snapshots bigint not null,
    recordings bigint not null,
    last_event bigint not null,
    last_subject bigint not null,
    last_group integer not null,
    deliveries bigint not null default 0,
    last_delivery bigint not null default 0,
    platform_id bigint,
    former_names text,
    ci_version bigint not null default 0,
    ci_checks bigint not null default 0,
    last_ci_run bigint not null default 0,
    last_ci_text integer not null default 0,
    kept_since bigint, -- everything that ended since this instant is stored; null: nothing was deleted because of its age
    judge_from bigint, -- since which instant something changed that verdicts have not taken into account; null: nothing did
    judge_by bigint, -- when they must have taken it into account
    judging_from bigint, -- since which instant verdicts are being judged again; null: all are judged
    verdict_version bigint not null default 0
);

create table groups (
    repository_id integer not null,
    group_id integer not null,
    base_ref text not null,
    queue_name text not null,
    priority_rule_name text,
    primary key (repository_id, group_id)
);
-- Three names of 255 characters can exceed the limit of an index row; their digests do not.
create unique index groups_by_name on groups (
    repository_id, md5(base_ref), md5(queue_name), coalesce(md5(priority_rule_name), '')
);

-- The numbers of stays, runs and bisections by their keys.
create table subjects (
    repository_id integer not null,
    number bigint not null,
    key_high bigint not null,
    key_low bigint not null,
    primary key (repository_id, key_high, key_low)
);
create index subjects_by_number on subjects (repository_id, number);

create table events (
    repository_id integer not null,
    number bigint not null,
    key_high bigint not null,
    key_low bigint not null,
    group_id integer not null,
    stay bigint,
    run bigint,
    batch_size integer,
    id text not null,
    type text not null,
    happened_at bigint not null,
    source text not null,
    session_id text,
    pull_request bigint,
    batch_id text,
    attempt integer,
    batch_pull_requests text,
    reason text,
    outcome text,
    schedule_wait bigint,
    freeze_wait bigint,
    depth integer,
    culprit_found boolean,
    max_failures_reached boolean,
    thread bigint, -- which deliveries it was translated from; null: a client sent it
    head_sha text, -- the last commit of the pull request when it entered or left
    primary key (repository_id, key_high, key_low)
);
create index events_by_instant on events (repository_id, happened_at) include (group_id);
create index events_by_number on events (repository_id, number);
create index events_by_run on events (repository_id, run);
create index events_by_stay on events (repository_id, stay);
create index events_by_thread on events (repository_id, thread) where thread is not null;

-- Facts: they follow from the events.
create table stays (
    repository_id integer not null,
    stay bigint not null,
    pull_request bigint,
    entered_at bigint,
    entered_group integer,
    left_at bigint,
    left_group integer,
    reason text,
    batch_id text,
    retries integer not null,
    queue_time bigint,
    ci_runtime bigint,
    idle_capacity bigint,
    idle_schedule bigint,
    idle_freeze bigint,
    head_sha text, -- the commit that the whole stay had
    primary key (repository_id, stay)
);
create index stays_by_entered_at on stays (repository_id, entered_at) include (entered_group, left_at, pull_request);
create index stays_by_left_at on stays (repository_id, left_at) include (
    left_group, reason, queue_time, ci_runtime, idle_capacity, idle_schedule, idle_freeze, retries
);
create index stays_by_pull_request on stays (repository_id, pull_request);
-- Few stays end this way, and the other indexes do not have their batches.
create index stays_by_saved_batch on stays (repository_id, left_at) include (
    left_group, batch_id
) where reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED' and batch_id is not null;

create table checks (
    repository_id integer not null,
    stay bigint not null,
    run bigint not null,
    started_at bigint,
    started_group integer,
    batch_size integer,
    ended_at bigint,
    ended_group integer,
    outcome text,
    primary key (repository_id, stay, run)
);
create index checks_by_ended_at on checks (repository_id, ended_at) include (ended_group, outcome);

create table runs (
    repository_id integer not null,
    run bigint not null,
    group_id integer not null,
    has_start boolean not null,
    has_verdict boolean not null,
    started_at bigint,
    ended_at bigint,
    batch_size integer,
    primary key (repository_id, run, group_id)
);
create index runs_by_ended_at on runs (repository_id, ended_at) include (run, group_id, has_verdict, started_at);
create index runs_by_started_at on runs (repository_id, started_at) include (
    run, group_id, has_start, ended_at, batch_size
);

create table bisection_starts (
    repository_id integer not null,
    bisection bigint not null,
    depth integer not null,
    started_at bigint not null,
    group_id integer not null,
    batch_size integer not null,
    primary key (repository_id, bisection, depth)
);
create index bisection_starts_by_instant on bisection_starts (repository_id, started_at);

create table bisection_ends (
    repository_id integer not null,
    bisection bigint not null,
    ended_at bigint not null,
    group_id integer not null,
    culprit_found boolean not null,
    max_failures_reached boolean not null,
    primary key (repository_id, bisection)
);
create index bisection_ends_by_instant on bisection_ends (repository_id, ended_at);

create table snapshots (
    repository_id integer not null,
    number bigint not null,
    is_open boolean not null,
    document text not null,
    primary key (repository_id, number)
);

create table pull_requests (
    repository_id integer not null,
    number bigint not null,
    title text not null,
    author text not null,
    url text not null,
    known_at bigint not null,
    position bigint, -- its place in the queue when the source last read that queue
    positioned_at bigint, -- when it did
    primary key (repository_id, number)
);

-- What sources delivered, and what translating it needs.
create table deliveries (
    repository_id integer not null,
    number bigint not null,
    thread bigint not null,
    source text not null,
    kind text not null,
    guid text not null,
    digest bytea not null,
    event text not null,
    action text not null,
    received_at bigint not null,
    happened_at bigint not null,
    is_about_queue boolean not null,
    fields bytea not null,
    body bytea,
    dictionary text,
    primary key (repository_id, number)
);
create index deliveries_by_thread on deliveries (repository_id, thread);

create table dictionaries (
    repository_id integer not null,
    id text not null,
    made_at bigint not null,
    body bytea not null
);
create index dictionaries_by_repository on dictionaries (repository_id);
alter table dictionaries replica identity full;

create table threads (
    repository_id integer not null,
    number bigint not null,
    source text not null,
    name text not null,
    standing text not null,
    first_at bigint not null,
    last_at bigint not null,
    is_about_queue boolean not null,
    translation integer default 0, -- of the last translation, so that a later version translates it again; null: never translated
    primary key (repository_id, number)
);

create table thread_links (
    repository_id integer not null,
    thread bigint not null,
    is_owner boolean not null,
    name text not null,
    primary key (repository_id, thread, is_owner, name)
);
create index thread_links_by_name on thread_links (repository_id, name);

create table waiting_threads (
    repository_id integer not null,
    thread bigint not null,
    first_at bigint not null,
    last_at bigint not null
);
create index waiting_threads_by_thread on waiting_threads (repository_id, thread);
alter table waiting_threads replica identity full;

create table untranslated (
    repository_id integer not null,
    thread bigint not null,
    source text not null,
    reason text not null,
    times bigint not null,
    last_at bigint not null
);
create index untranslated_by_thread on untranslated (repository_id, thread);
alter table untranslated replica identity full;

create table skipped_deliveries (
    repository_id integer not null,
    source text not null,
    event text not null,
    action text not null,
    times bigint not null
);
create index skipped_deliveries_by_repository on skipped_deliveries (repository_id);
alter table skipped_deliveries replica identity full;

create table sources (
    repository_id integer not null,
    source text not null,
    kind text not null,
    deliveries bigint not null,
    first_at bigint not null,
    last_at bigint not null,
    primary key (repository_id, source, kind)
);

create table cursors (
    repository_id integer not null,
    source text not null,
    position text,
    reached bigint,
    primary key (repository_id, source)
);

-- What arrived although it was older than what is kept.
create table expired (
    repository_id integer not null,
    source text not null,
    kind text not null,
    times bigint not null,
    primary key (repository_id, source, kind)
);

-- What happened in each queue, counted for metrics.
create table queue_counts (
    repository_id integer not null,
    queue integer not null, -- the number of its first group
    counts text not null,
    primary key (repository_id, queue)
);

-- Entries and ends whose events were deleted: if they come back, they are not counted again.
create table withdrawn_ends (
    repository_id integer not null,
    subject bigint not null,
    type text not null,
    primary key (repository_id, subject, type)
);

-- Reports about CI checks, and what follows from them. Nothing else in the store depends on these tables.
create table ci_texts (
    repository_id integer not null,
    number integer not null,
    text text not null,
    primary key (repository_id, number)
);
create unique index ci_texts_by_text on ci_texts (repository_id, text);

create table ci_runs (
    repository_id integer not null,
    run bigint not null,
    key_high bigint not null,
    key_low bigint not null,
    attempt integer not null,
    executions integer not null,
    base_ref integer not null,
    queue_name integer not null,
    placed_at bigint not null,
    failed_name integer,
    failed_runner integer,
    failed_at bigint,
    critical_name integer,
    critical_runner integer,
    critical_bucket integer,
    seconds bigint not null,
    waited bigint not null,
    seconds_by_runner text not null,
    recovered text not null,
    batch_id text not null,
    primary key (repository_id, run)
);
create index ci_runs_by_batch on ci_runs (repository_id, batch_id);
create index ci_runs_by_instant on ci_runs (repository_id, placed_at);
create unique index ci_runs_by_key on ci_runs (repository_id, key_high, key_low);

create table ci_checks (
    repository_id integer not null,
    name integer not null,
    base_ref integer not null,
    queue_name integer not null,
    runner integer not null, -- 0 if its label is not known
    seconds_bucket integer,
    waited_bucket integer,
    run bigint not null,
    happened_at bigint not null,
    queued_at bigint,
    started_at bigint,
    ended_at bigint,
    placed_at bigint not null,
    thread bigint,
    is_required boolean,
    conclusion text,
    check_id text not null,
    id text not null,
    source text not null,
    url text,
    primary key (repository_id, run, name, check_id)
);
create index ci_checks_by_instant on ci_checks (repository_id, placed_at);
create index ci_checks_by_thread on ci_checks (repository_id, thread) where thread is not null;
create index ci_failures_by_instant on ci_checks (
    repository_id, placed_at) where conclusion in ('failure', 'timed_out'
);

create table ci_days (
    repository_id integer not null,
    day integer not null,
    is_summed boolean not null,
    changed_at bigint not null,
    primary key (repository_id, day)
);

create table ci_day_sums (
    repository_id integer not null,
    day integer not null,
    base_ref integer not null,
    queue_name integer not null,
    name integer not null,
    runner integer not null, -- 0 if its label is not known
    runs bigint not null,
    failed bigint not null,
    seconds bigint not null,
    waited bigint not null,
    seconds_buckets text not null,
    seconds_counts text not null,
    waited_buckets text not null,
    waited_counts text not null,
    primary key (repository_id, day, base_ref, queue_name, name, runner)
);

-- Sums of blocks of 14 days, so that a year of CI checks is read from 26 blocks and not from 365 days.
create table ci_block_sums (
    repository_id integer not null,
    first_day integer not null,
    days_changed_at bigint not null, -- the sums hold while no day of the block was changed later
    base_ref integer not null,
    queue_name integer not null,
    name integer not null,
    runner integer not null, -- 0 if its label is not known
    runs bigint not null,
    failed bigint not null,
    seconds bigint not null,
    waited bigint not null,
    seconds_buckets text not null,
    seconds_counts text not null,
    waited_buckets text not null,
    waited_counts text not null,
    primary key (repository_id, first_day, base_ref, queue_name, name, runner)
);

create table ci_prices (
    repository_id integer primary key,
    document text not null
);

-- Why pull requests were removed from queues, as it was judged; the rest of each verdict is JSON.
create table verdicts (
    repository_id integer not null,
    stay bigint not null,
    left_at bigint not null,
    pull_request bigint not null,
    judged_at bigint not null,
    revision integer not null,
    base_ref text not null,
    queue_name text not null,
    session_id text not null,
    cause text not null,
    act text not null,
    said_act text not null, -- the act before a bad time was over
    document text not null,
    primary key (repository_id, stay)
);
create index verdicts_by_instant on verdicts (repository_id, left_at);
create index verdicts_by_pull_request on verdicts (repository_id, pull_request);

-- What is known about a queue at the beginning of a day, so that its removals need not be judged from the first one on.
create table verdict_states (
    repository_id integer not null,
    day integer not null, -- days since the epoch
    base_ref text not null,
    queue_name text not null,
    document bytea not null,
    primary key (repository_id, day, base_ref, queue_name)
);

-- What is still normal for a queue, as people have set it.
create table thresholds (
    repository_id integer not null,
    base_ref text not null default '', -- empty: all branches
    queue_name text not null default '', -- empty: all queues
    figure text not null,
    millionths bigint, -- of the unit of the figure; null switches it off
    alert boolean not null default true,
    primary key (repository_id, base_ref, queue_name, figure)
);

-- Pinned periods of queues.
create table reference_periods (
    repository_id integer not null,
    name text not null,
    document text not null,
    hours text not null,
    compared_at bigint,
    comparison text,
    constraint baselines_pkey primary key (repository_id, name)
);

-- Figures of queues that have left what is normal.
create table alerts (
    repository_id integer not null,
    id text not null,
    since bigint not null,
    ended_at bigint,
    document text not null,
    figure text not null,
    origin text not null,
    base_ref text not null,
    queue_name text not null,
    found_at bigint not null,
    primary key (repository_id, id)
);

create table looked_back (
    repository_id integer primary key,
    until bigint not null -- until when the history was searched for alerts of the past
);

-- Causes of notices, stored together with what they are about.
create table causes (
    repository_id integer not null,
    kind text not null,
    key text not null,
    phase text not null,
    happened_at bigint not null,
    base_ref text,
    queue_name text,
    document text not null, -- the alert that it is about, or what happened
    stored_at bigint not null,
    due_at bigint not null,
    done_at bigint,
    announced text, -- the incident that an alert belongs to in each channel that it was sent to
    primary key (repository_id, kind, key, phase)
);
create index causes_to_send on causes (repository_id, due_at) where done_at is null;

-- What was recommended for a base branch last, which is computed again every day.
create table recommendations (
    repository_id integer not null,
    base_ref text not null,
    computed_at bigint not null,
    settings_version text not null, -- which settings the document is about
    document text not null,
    primary key (repository_id, base_ref)
);

-- Where notices go.
create table channels (
    id text primary key,
    owner text not null,
    repository text not null,
    kind text not null,
    sealed text not null, -- what is secret about it
    document text not null,
    created_at bigint not null,
    paused_at bigint,
    result text,
    digest_at bigint
);

-- Messages that a channel has not taken yet.
create table notices (
    id text primary key,
    channel_id text not null,
    kind text not null,
    key text not null,
    phase text not null,
    created_at bigint not null,
    document text not null,
    attempts bigint not null,
    next_at bigint not null
);
create index notices_by_channel on notices (channel_id, created_at);

-- From here on: what belongs to no repository.
create table application_keys (
    id text primary key,
    digest text not null,
    name text not null,
    owner text not null,
    scopes text not null,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint
);

-- Raised by every change of the keys, so that each server knows when to read them again.
create table key_state (
    version bigint not null
);
insert into key_state values (1);

-- Browsers that are signed in, and one-time codes that sign them in. Digests are hexadecimal.
create table sessions (
    digest text primary key,
    is_code boolean not null,
    kind text not null,
    name text not null,
    credential text not null,
    key_id text,
    sealed text,
    created_at bigint not null,
    expires_at bigint not null
);
create index sessions_by_credential on sessions (credential, created_at);

-- Which server does a piece of work.
create table leases (
    name text primary key,
    holder text not null,
    until bigint not null,
    next_at bigint,
    error text
);

-- Repositories at a platform that were added to a running server.
create table added_sources (
    id text primary key, -- follows from the source and the name here, so that none is added twice
    source text not null,
    repository text not null, -- its name on the platform
    owner text not null,
    name text not null,
    url text not null,
    sealed text not null, -- the token; empty if it is read with an app
    app_id text not null, -- empty if it is read with a token
    created_at bigint not null,
    created_by text not null,
    paused_at bigint
);

-- GitHub Apps that were made on a page.
create table github_apps (
    id text primary key,
    slug text not null,
    owner text not null,
    url text not null,
    sealed text not null, -- what is secret about it
    has_webhook boolean not null,
    installed text not null, -- owners of its installations in lower case, a list in JSON
    created_at bigint not null
);

-- Who deleted something or changed a setting.
create table audit_lines (
    id text collate "C" primary key, -- sorted in order of time
    happened_at bigint not null,
    owner text,
    repository text,
    document text not null
);

-- Covering indexes are read without the table only where pages are vacuumed: do that soon after inserts.
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
alter table stays set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
alter table checks set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
alter table runs set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);

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
        execute format('alter table %I alter column repository_id set statistics 0', grown);
    end loop;
end
$$;
