-- The record (events), what names stand for (repositories, groups, subjects), the facts derived from events, and
-- what sources delivered. Instants are microseconds since the epoch; booleans are 0 and 1.
--
-- Every table that grows begins with `repository_id`, and so does every index of it: a statement about one repository
-- reads no row of another. A table whose rows are short is its primary key. One with documents or bodies has a rowid,
-- because they would lie between the keys.

-- One row: what the file is, and what its writer needs to know.
create table store_state (
    identity text not null, -- random, made with the file
    commits integer not null, -- how many transactions changed it
    last_repository_id integer not null,
    program text not null -- the version that applied the last migration
) strict;

create table repositories (
    repository_id integer primary key,
    owner text not null,
    name text not null
) strict;

create table repository_state (
    repository_id integer primary key,
    version integer not null,
    events integer not null,
    first_at integer,
    last_at integer,
    products text, -- joined by commas, null while never set
    snapshots integer not null,
    recordings integer not null,
    last_event integer not null,
    last_subject integer not null,
    last_group integer not null,
    deliveries integer not null,
    last_delivery integer not null,
    platform_id integer,
    former_names text, -- in lower case, joined by commas
    ci_version integer not null,
    ci_checks integer not null,
    last_ci_run integer not null,
    last_ci_text integer not null,
    kept_since integer, -- everything that ended since then is stored; null: nothing was deleted because of its age
    judge_from integer, -- since when something changed that verdicts have not taken into account; null: nothing did
    judge_by integer, -- when they must
    judging_from integer, -- since when verdicts are being judged again; null: all are judged
    verdict_version integer not null
) strict;

create table groups (
    repository_id integer not null,
    group_id integer not null,
    base_ref text not null,
    queue_name text not null,
    priority_rule_name text,
    primary key (repository_id, group_id)
) strict, without rowid;

-- A subject is what several events speak of: a stay, a CI run or a bisection. Its key is a 128-bit digest of the
-- repository, the kind and the names. Threads of deliveries share these numbers.
create table subjects (
    repository_id integer not null,
    number integer not null,
    key_high integer not null,
    key_low integer not null,
    primary key (repository_id, number)
) strict, without rowid;

create index subjects_by_key on subjects (repository_id, key_high, key_low);

create table events (
    repository_id integer not null,
    number integer not null,
    key_high integer not null,
    key_low integer not null,
    group_id integer not null,
    stay integer,
    run integer, -- or the bisection
    thread integer, -- of deliveries that the event was translated from; null: a client sent it
    batch_size integer,
    id text not null,
    type text not null,
    happened_at integer not null,
    source text not null,
    session_id text,
    pull_request integer,
    batch_id text,
    attempt integer,
    batch_pull_requests text,
    reason text,
    outcome text,
    schedule_wait integer,
    freeze_wait integer,
    depth integer,
    culprit_found integer,
    max_failures_reached integer,
    head_sha text,
    primary key (repository_id, number)
) strict, without rowid;

create index events_by_key on events (repository_id, key_high);
create index events_by_stay on events (repository_id, stay) where stay is not null;
create index events_by_run on events (repository_id, run) where run is not null;
create index events_by_thread on events (repository_id, thread) where thread is not null;
create index events_by_group on events (repository_id, group_id, happened_at);

-- One pull request in one queue. Durations are set when both ends are known.
create table stays (
    repository_id integer not null,
    stay integer not null,
    pull_request integer,
    entered_at integer,
    entered_group integer,
    left_at integer,
    left_group integer,
    reason text,
    batch_id text,
    retries integer not null,
    queue_time integer,
    ci_runtime integer,
    idle_capacity integer,
    idle_schedule integer,
    idle_freeze integer,
    head_sha text,
    primary key (repository_id, stay)
) strict, without rowid;

create index stays_by_left_at on stays (
    repository_id, left_at, left_group, reason, queue_time, ci_runtime, idle_capacity, idle_schedule, idle_freeze, retries,
    entered_at, entered_group
);
create index stays_by_entered_at on stays (repository_id, entered_at, entered_group, left_at, pull_request);
create index stays_by_pull_request on stays (repository_id, pull_request);
-- Few stays end this way, and the other indexes do not have their batches.
create index stays_by_saved_batch on stays (repository_id, left_at, left_group, batch_id)
where reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED' and batch_id is not null;

-- One run of CI for one stay as part of one batch.
create table checks (
    repository_id integer not null,
    stay integer not null,
    run integer not null,
    started_at integer,
    started_group integer,
    batch_size integer,
    ended_at integer,
    ended_group integer,
    outcome text,
    primary key (repository_id, stay, run)
) strict, without rowid;

create index checks_by_ended_at on checks (repository_id, ended_at, ended_group, outcome);
create index checks_by_run on checks (repository_id, run, outcome);

-- One CI run in one group. Start, end and size belong to the run as a whole.
create table runs (
    repository_id integer not null,
    run integer not null,
    group_id integer not null,
    has_start integer not null,
    has_verdict integer not null,
    started_at integer,
    ended_at integer,
    batch_size integer,
    primary key (repository_id, run, group_id)
) strict, without rowid;

create index runs_by_started_at on runs (repository_id, started_at, has_start, ended_at, batch_size);
create index runs_by_ended_at on runs (repository_id, ended_at, has_verdict, has_start, started_at);

create table bisection_starts (
    repository_id integer not null,
    bisection integer not null,
    depth integer not null,
    started_at integer not null,
    group_id integer not null,
    batch_size integer not null,
    primary key (repository_id, bisection, depth)
) strict, without rowid;

create index bisection_starts_by_instant on bisection_starts (repository_id, started_at);

create table bisection_ends (
    repository_id integer not null,
    bisection integer not null,
    ended_at integer not null,
    group_id integer not null,
    culprit_found integer not null,
    max_failures_reached integer not null,
    primary key (repository_id, bisection)
) strict, without rowid;

create index bisection_ends_by_instant on bisection_ends (repository_id, ended_at);

-- What the platform said of pull requests, as it was recorded: one row for each, as JSON.
create table snapshots (
    repository_id integer not null,
    number integer not null,
    is_open integer not null,
    document text not null,
    unique (repository_id, number)
) strict;

create table deliveries (
    repository_id integer not null,
    number integer not null,
    thread integer not null,
    source text not null,
    kind text not null,
    guid text not null,
    digest blob not null,
    event text not null,
    action text not null,
    received_at integer not null,
    happened_at integer not null,
    is_about_queue integer not null,
    fields blob not null, -- compressed observations
    body blob, -- compressed; null once it was dropped because of its age
    dictionary text, -- what the body was compressed with
    unique (repository_id, number)
) strict;

create index deliveries_by_thread on deliveries (repository_id, thread);
create index deliveries_with_bodies on deliveries (repository_id, received_at) where body is not null;
create index uncertain_deliveries on deliveries (repository_id, received_at) where not is_about_queue;

create table dictionaries (
    repository_id integer not null,
    id text not null,
    made_at integer not null,
    body blob not null
) strict;

create index dictionaries_by_repository on dictionaries (repository_id);

create table threads (
    repository_id integer not null,
    number integer not null,
    source text not null,
    name text not null,
    standing text not null, -- what other threads need to know about it, in JSON
    first_at integer not null,
    last_at integer not null,
    is_about_queue integer not null,
    translation integer, -- the version that it was translated with last; null: never
    primary key (repository_id, number)
) strict, without rowid;

create table thread_links (
    repository_id integer not null,
    thread integer not null,
    is_owner integer not null,
    name text not null,
    primary key (repository_id, thread, is_owner, name)
) strict, without rowid;

create index thread_links_by_name on thread_links (repository_id, name);

create table waiting_threads (
    repository_id integer not null,
    thread integer not null,
    first_at integer not null,
    last_at integer not null
) strict;

create index waiting_threads_by_thread on waiting_threads (repository_id, thread);

create table untranslated (
    repository_id integer not null,
    thread integer not null,
    source text not null,
    reason text not null,
    times integer not null,
    last_at integer not null
) strict;

create index untranslated_by_thread on untranslated (repository_id, thread);

create table skipped_deliveries (
    repository_id integer not null,
    source text not null,
    event text not null,
    action text not null,
    times integer not null
) strict;

create index skipped_deliveries_by_repository on skipped_deliveries (repository_id);

create table sources (
    repository_id integer not null,
    source text not null,
    kind text not null,
    deliveries integer not null,
    first_at integer not null,
    last_at integer not null,
    primary key (repository_id, source, kind)
) strict, without rowid;

-- What arrived although it was older than what is kept.
create table expired (
    repository_id integer not null,
    source text not null,
    kind text not null,
    times integer not null,
    primary key (repository_id, source, kind)
) strict, without rowid;

create table cursors (
    repository_id integer not null,
    source text not null,
    position text,
    reached integer,
    primary key (repository_id, source)
) strict, without rowid;

create table pull_requests (
    repository_id integer not null,
    number integer not null,
    title text not null,
    author text not null,
    url text not null,
    known_at integer not null,
    position integer, -- in its queue when the source last read that queue
    positioned_at integer,
    primary key (repository_id, number)
) strict, without rowid;

-- Causes of notices, stored together with what they are about.
create table causes (
    repository_id integer not null,
    kind text not null,
    key text not null,
    phase text not null,
    happened_at integer not null,
    base_ref text,
    queue_name text,
    document text not null,
    stored_at integer not null,
    due_at integer not null,
    done_at integer,
    announced text, -- the incident that an alert belongs to in each channel that it was sent to
    primary key (repository_id, kind, key, phase)
) strict;

create index causes_to_send on causes (repository_id, due_at) where done_at is null;

-- What happened in each queue, counted for metrics; the number of a queue is that of its first group.
create table queue_counts (
    repository_id integer not null,
    queue integer not null,
    counts text not null,
    primary key (repository_id, queue)
) strict, without rowid;

-- Entries and ends whose events were deleted: if they come back, they are not counted again.
create table withdrawn_ends (
    repository_id integer not null,
    subject integer not null,
    type text not null,
    primary key (repository_id, subject, type)
) strict, without rowid;

create table reference_periods (
    repository_id integer not null,
    name text not null,
    document text not null,
    hours text not null,
    compared_at integer,
    comparison text,
    primary key (repository_id, name)
) strict;

create table alerts (
    repository_id integer not null,
    id text not null,
    figure text not null,
    origin text not null,
    base_ref text not null,
    queue_name text not null,
    since integer not null,
    found_at integer not null,
    ended_at integer,
    document text not null,
    primary key (repository_id, id)
) strict;

-- Empty names mean all branches and all queues; a value of null switches a figure off.
create table thresholds (
    repository_id integer not null,
    figure text not null,
    base_ref text not null,
    queue_name text not null,
    millionths integer,
    alert integer not null,
    primary key (repository_id, figure, base_ref, queue_name)
) strict, without rowid;

-- Until when the history of a repository was searched for alerts of the past.
create table looked_back (
    repository_id integer primary key,
    until integer not null
) strict;

-- What was recommended for a base branch last.
create table recommendations (
    repository_id integer not null,
    base_ref text not null,
    computed_at integer not null,
    settings_version text not null,
    document text not null,
    primary key (repository_id, base_ref)
) strict;

-- Names, runners, base branches and queues of CI checks, which repeat in every run.
create table ci_texts (
    repository_id integer not null,
    number integer not null,
    text text not null,
    primary key (repository_id, number)
) strict, without rowid;

create index ci_texts_by_text on ci_texts (repository_id, text);

create table ci_runs (
    repository_id integer not null,
    run integer not null,
    key_high integer not null,
    key_low integer not null,
    attempt integer not null,
    executions integer not null,
    base_ref integer not null,
    queue_name integer not null,
    placed_at integer not null,
    failed_name integer,
    failed_runner integer,
    failed_at integer,
    critical_name integer,
    critical_runner integer,
    critical_bucket integer,
    seconds integer not null,
    waited integer not null,
    seconds_by_runner text not null,
    recovered text not null,
    batch_id text not null,
    primary key (repository_id, run)
) strict, without rowid;

create index ci_runs_by_key on ci_runs (repository_id, key_high, key_low);
create index ci_runs_by_batch on ci_runs (repository_id, batch_id);
create index ci_runs_by_instant on ci_runs (repository_id, placed_at);

create table ci_checks (
    repository_id integer not null,
    name integer not null,
    base_ref integer not null,
    queue_name integer not null,
    runner integer not null, -- 0 if its label is not known
    seconds_bucket integer,
    waited_bucket integer,
    run integer not null,
    happened_at integer not null,
    queued_at integer,
    started_at integer,
    ended_at integer,
    placed_at integer not null,
    thread integer,
    is_required integer,
    conclusion text,
    check_id text not null,
    id text not null,
    source text not null,
    url text,
    primary key (repository_id, run, name, check_id)
) strict, without rowid;

create index ci_checks_by_instant on ci_checks (repository_id, placed_at);
create index ci_checks_by_thread on ci_checks (repository_id, thread) where thread is not null;
create index ci_failures_by_instant on ci_checks (repository_id, placed_at)
where conclusion in ('failure', 'timed_out');

create table ci_days (
    repository_id integer not null,
    day integer not null,
    is_summed integer not null,
    changed_at integer not null,
    primary key (repository_id, day)
) strict, without rowid;

create table ci_day_sums (
    repository_id integer not null,
    day integer not null,
    base_ref integer not null,
    queue_name integer not null,
    name integer not null,
    runner integer not null,
    runs integer not null,
    failed integer not null,
    seconds integer not null,
    waited integer not null,
    seconds_buckets text not null,
    seconds_counts text not null,
    waited_buckets text not null,
    waited_counts text not null,
    primary key (repository_id, day, base_ref, queue_name, name, runner)
) strict, without rowid;

-- Sums of blocks of 14 days, so that a year of CI checks is read from 26 blocks and not from 365 days.
create table ci_block_sums (
    repository_id integer not null,
    first_day integer not null,
    days_changed_at integer not null,
    base_ref integer not null,
    queue_name integer not null,
    name integer not null,
    runner integer not null,
    runs integer not null,
    failed integer not null,
    seconds integer not null,
    waited integer not null,
    seconds_buckets text not null,
    seconds_counts text not null,
    waited_buckets text not null,
    waited_counts text not null,
    primary key (repository_id, first_day, base_ref, queue_name, name, runner)
) strict, without rowid;

-- What a minute of CI costs, in JSON.
create table ci_prices (
    repository_id integer primary key,
    document text not null
) strict;

-- Why pull requests were removed from queues, as it was judged; the rest of each verdict is JSON.
create table verdicts (
    repository_id integer not null,
    stay integer not null,
    left_at integer not null,
    pull_request integer not null,
    judged_at integer not null,
    revision integer not null,
    base_ref text not null,
    queue_name text not null,
    session_id text not null,
    cause text not null,
    act text not null,
    said_act text not null, -- the act before a bad time was over
    document text not null,
    unique (repository_id, stay)
) strict;

create index verdicts_by_instant on verdicts (repository_id, left_at);
create index verdicts_by_pull_request on verdicts (repository_id, pull_request);

-- What is known about a queue at the beginning of a day, so that its removals need not be judged from the first one on.
create table verdict_states (
    repository_id integer not null,
    day integer not null, -- days since the epoch
    base_ref text not null,
    queue_name text not null,
    document blob not null,
    unique (repository_id, day, base_ref, queue_name)
) strict;

-- What follows belongs to no repository.

-- Keys that the operator gives to applications: the SHA-256 of each, in hexadecimal. A revoked key has no row.
create table application_keys (
    id text primary key,
    digest text not null,
    name text not null,
    owner text not null,
    scopes text not null, -- separated by blanks
    created_at integer not null,
    expires_at integer,
    last_used_at integer
) strict;

-- Browsers that are signed in, and one-time codes that sign them in. Digests are hexadecimal.
create table sessions (
    digest text primary key,
    is_code integer not null,
    kind text not null,
    name text not null,
    credential text not null,
    key_id text,
    sealed text,
    created_at integer not null,
    expires_at integer not null
) strict;

-- Which server follows a source.
create table leases (
    name text primary key,
    holder text not null,
    until integer not null,
    next_at integer,
    error text
) strict;

-- Where notices go. What is secret about a channel is sealed.
create table channels (
    id text primary key,
    owner text not null,
    repository text not null,
    kind text not null,
    sealed text not null,
    document text not null,
    created_at integer not null,
    paused_at integer,
    result text,
    digest_at integer
) strict;

-- Messages that a channel has not taken yet.
create table notices (
    id text primary key,
    channel_id text not null,
    kind text not null,
    key text not null,
    phase text not null,
    created_at integer not null,
    document text not null,
    attempts integer not null,
    next_at integer not null
) strict;

create index notices_by_channel on notices (channel_id, created_at);

-- Who deleted something or changed a setting. These lines outlive the repositories that they are about.
create table audit_lines (
    id text primary key, -- sorted in order of time
    happened_at integer not null,
    owner text,
    repository text,
    document text not null
) strict;

-- Repositories at a platform that were added to a running server. Tokens are sealed.
create table added_sources (
    id text primary key, -- follows from the source and the name here, so that none is added twice
    source text not null,
    repository text not null, -- its name on the platform
    owner text not null,
    name text not null,
    url text not null,
    sealed text not null, -- the token; empty if it is read with an app
    app_id text not null, -- empty if it is read with a token
    created_at integer not null,
    created_by text not null,
    paused_at integer
) strict;

-- GitHub Apps that were made on a page. What is secret about them is sealed.
create table github_apps (
    id text primary key,
    slug text not null,
    owner text not null,
    url text not null,
    sealed text not null,
    has_webhook integer not null,
    installed text not null, -- owners of its installations in lower case, a list in JSON
    created_at integer not null
) strict;

-- What SQLite may expect of each index: how many rows it has, and how many have the same first column, the same first two
-- and so on. These figures are those of a repository with a few thousand stays, and they never change: without them
-- SQLite expects ten rows of a repository and reads all of them, and what `analyze` would find depends on the moment.
analyze sqlite_schema;

insert into sqlite_stat1 (tbl, idx, stat)
values
    ('groups', 'groups', '1000000000000000 10 1'),
    ('subjects', 'subjects', '1000000000000000 10000 1'),
    ('subjects', 'subjects_by_key', '1000000000000000 10000 4 2'),
    ('events', 'events', '1000000000000000 10000 1'),
    ('events', 'events_by_key', '1000000000000000 10000 4'),
    ('events', 'events_by_stay', '1000000000000000 10000 4'),
    ('events', 'events_by_run', '1000000000000000 10000 4'),
    ('events', 'events_by_thread', '1000000000000000 1000 4'),
    ('events', 'events_by_group', '1000000000000000 10000 1000 2'),
    ('stays', 'stays', '1000000000000000 10000 1'),
    ('stays', 'stays_by_left_at', '1000000000000000 10000 4 2 1 1 1 1 1 1 1 1 1'),
    ('stays', 'stays_by_entered_at', '1000000000000000 10000 4 2 1 1'),
    ('stays', 'stays_by_pull_request', '1000000000000000 10000 4'),
    ('stays', 'stays_by_saved_batch', '1000000000000000 100 1 1 1'),
    ('checks', 'checks', '1000000000000000 10000 4 1'),
    ('checks', 'checks_by_run', '1000000000000000 10000 4 4'),
    ('checks', 'checks_by_ended_at', '1000000000000000 10000 4 2 1'),
    ('runs', 'runs', '1000000000000000 10000 4 1'),
    ('runs', 'runs_by_started_at', '1000000000000000 10000 4 2 1 1'),
    ('runs', 'runs_by_ended_at', '1000000000000000 10000 4 2 1 1'),
    ('bisection_starts', 'bisection_starts', '1000000000000000 10000 4 1'),
    ('bisection_starts', 'bisection_starts_by_instant', '1000000000000000 10000 4'),
    ('bisection_ends', 'bisection_ends', '1000000000000000 10000 1'),
    ('bisection_ends', 'bisection_ends_by_instant', '1000000000000000 10000 4'),
    ('snapshots', 'sqlite_autoindex_snapshots_1', '1000000000000000 10000 1'),
    ('deliveries', 'sqlite_autoindex_deliveries_1', '1000000000000000 10000 1'),
    ('deliveries', 'deliveries_with_bodies', '1000000000000000 10000 4'),
    ('deliveries', 'uncertain_deliveries', '1000000000000000 100 4'),
    ('deliveries', 'deliveries_by_thread', '1000000000000000 10000 4'),
    ('dictionaries', 'dictionaries_by_repository', '1000000000000000 10'),
    ('threads', 'threads', '1000000000000000 10000 1'),
    ('thread_links', 'thread_links', '1000000000000000 10000 4 2 1'),
    ('thread_links', 'thread_links_by_name', '1000000000000000 10000 4'),
    ('waiting_threads', 'waiting_threads_by_thread', '1000000000000000 10000 4'),
    ('untranslated', 'untranslated_by_thread', '1000000000000000 10000 4'),
    ('skipped_deliveries', 'skipped_deliveries_by_repository', '1000000000000000 4'),
    ('sources', 'sources', '1000000000000000 4 4 1'),
    ('expired', 'expired', '1000000000000000 4 4 1'),
    ('cursors', 'cursors', '1000000000000000 2 1'),
    ('pull_requests', 'pull_requests', '1000000000000000 10000 1'),
    ('causes', 'sqlite_autoindex_causes_1', '1000000000000000 10000 4 2 1'),
    ('causes', 'causes_to_send', '1000000000000000 4 2'),
    ('queue_counts', 'queue_counts', '1000000000000000 10 1'),
    ('withdrawn_ends', 'withdrawn_ends', '1000000000000000 10000 4 1'),
    ('reference_periods', 'sqlite_autoindex_reference_periods_1', '1000000000000000 2 1'),
    ('alerts', 'sqlite_autoindex_alerts_1', '1000000000000000 10 1'),
    ('thresholds', 'thresholds', '1000000000000000 4 4 2 1'),
    ('recommendations', 'sqlite_autoindex_recommendations_1', '1000000000000000 2 1'),
    ('ci_texts', 'ci_texts', '1000000000000000 100 1'),
    ('ci_texts', 'ci_texts_by_text', '1000000000000000 100 4'),
    ('ci_runs', 'ci_runs', '1000000000000000 10000 1'),
    ('ci_runs', 'ci_runs_by_key', '1000000000000000 10000 4 2'),
    ('ci_runs', 'ci_runs_by_batch', '1000000000000000 10000 4'),
    ('ci_runs', 'ci_runs_by_instant', '1000000000000000 10000 4'),
    ('ci_checks', 'ci_checks', '1000000000000000 10000 4 2 1'),
    ('ci_checks', 'ci_checks_by_instant', '1000000000000000 10000 4'),
    ('ci_checks', 'ci_checks_by_thread', '1000000000000000 1000 4'),
    ('ci_checks', 'ci_failures_by_instant', '1000000000000000 100 1'),
    ('ci_days', 'ci_days', '1000000000000000 1000 1'),
    ('ci_day_sums', 'ci_day_sums', '1000000000000000 10000 4 2 1 1 1'),
    ('ci_block_sums', 'ci_block_sums', '1000000000000000 10000 4 2 1 1 1'),
    ('verdicts', 'sqlite_autoindex_verdicts_1', '1000000000000000 10000 1'),
    ('verdicts', 'verdicts_by_instant', '1000000000000000 10000 4'),
    ('verdicts', 'verdicts_by_pull_request', '1000000000000000 10000 4'),
    ('verdict_states', 'sqlite_autoindex_verdict_states_1', '1000000000000000 10000 4 2 1');

analyze sqlite_schema;
