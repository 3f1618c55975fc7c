-- oldest program: 1
--
-- Why pull requests were removed from queues, as it was judged; the rest of each verdict is JSON. What an older program
-- stores is judged with the next change that this one stores, from there on; `mergecast store rebuild` judges everything again.

-- Since which instant something changed that verdicts have not taken into account, and when they must; null: nothing did.
alter table repository_state add column judge_from bigint;
alter table repository_state add column judge_by bigint;
-- Since which instant verdicts are being judged again; null: all are judged.
alter table repository_state add column judging_from bigint;
alter table repository_state add column verdict_version bigint not null default 0;
update repository_state set judge_from = first_at, judge_by = 0 where events > 0;

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
