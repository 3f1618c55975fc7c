-- How many CI runs were in progress, from instant to instant?
-- $1 repository, $2 start and $3 end of the observed period, $4 groups, $5 width of an interval, $6 shift
--
-- A run counts once per base ref and queue, whatever priority rules its pull requests have: all groups of
-- a base ref and queue appear here under the smallest of their ids.
with places as (
    select
        group_id,
        min(group_id) over (partition by base_ref, queue_name) as place
    from groups
    where repository_id = $1
        and group_id {among $4 integer}
),
counted as (
    select run, group_id, started_at, ended_at
    from runs
    where repository_id = $1
        and has_start
        and started_at < $3
        and ended_at > started_at
        and ended_at > $2
        and ended_at <= 9223372036854775807 -- an index with both bounds is preferred
    union all
    select run, group_id, started_at, null
    from runs
    where repository_id = $1
        and has_start
        and started_at < $3
        and ended_at is null
),
listed as (
    select
        json_group_array(group_id) as groups,
        json_group_array(run) as runs,
        json_group_array(max(started_at, $2)) as starts,
        json_group_array(ifnull(min(ended_at, $3), $3)) as ends
    from counted
)
{swept swept_runs(groups, runs, starts, ends, (select json_group_object(group_id, place) from places), $2, $3, $5, $6)}
