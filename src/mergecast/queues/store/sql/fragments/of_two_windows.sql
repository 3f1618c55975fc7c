-- $1 repository, $2 start, $3 end, $4 groups, $5 the queue of each group, $6 width of an interval, $7 shift of the intervals,
-- $8 start and $9 end of the window to compare with, which does not overlap the other
-- Rows of each window, if there is anything in it: the whole (no queue, no interval), each queue, each interval.
with kept as materialized {given $4 integer group_id, $5 integer queue}
