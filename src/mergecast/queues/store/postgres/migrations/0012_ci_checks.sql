-- oldest program: 1
--
-- Reports about CI checks, and what follows from them. Nothing else in the store depends on these tables.

alter table repository_state add column ci_version bigint not null default 0;
alter table repository_state add column ci_checks bigint not null default 0;
alter table repository_state add column last_ci_run bigint not null default 0;
alter table repository_state add column last_ci_text integer not null default 0;

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

create unique index ci_runs_by_key on ci_runs (repository_id, key_high, key_low);
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
create index ci_failures_by_instant on ci_checks (repository_id, placed_at)
where conclusion in ('failure', 'timed_out');

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

create table ci_prices (
    repository_id integer primary key,
    document text not null
);
