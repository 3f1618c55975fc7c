-- oldest program: 1
--
-- Sums of blocks of 14 days, so that a year of CI checks is read from 26 blocks and not from 365 days. An earlier program
-- does not delete them when a day changes; `days_changed_at` shows that they no longer hold.

create table ci_block_sums (
    repository_id integer not null,
    first_day integer not null,
    days_changed_at bigint not null,
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
