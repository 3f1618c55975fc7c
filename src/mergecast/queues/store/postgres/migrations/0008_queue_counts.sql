-- oldest program: 1
--
-- What happened in each queue, counted for metrics; the number of a queue is that of its first group.
create table queue_counts (
    repository_id integer not null,
    queue integer not null,
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
