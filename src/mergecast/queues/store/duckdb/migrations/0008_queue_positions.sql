-- The place of a pull request in its queue when the source last read that queue, and when it did.

alter table pull_requests add column position bigint;
alter table pull_requests add column positioned_at bigint;
