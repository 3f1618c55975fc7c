-- The last commit of a pull request when it entered or left a queue, and the one that a whole stay had.

alter table events add column head_sha text;
alter table stays add column head_sha text;
