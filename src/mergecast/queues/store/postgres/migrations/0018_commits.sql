-- oldest program: 1
--
-- The last commit of a pull request when it entered or left a queue, and the one that a whole stay had. An older
-- program that derives a stay again leaves its commit out: `mergecast store rebuild` brings it back.

alter table events add column head_sha text;
alter table stays add column head_sha text;
