-- The sweep over `spans` (group_id, span_start, span_end), which lie within the observed period.
-- $2 start, $3 end, $5 width of an interval, $6 shift of the intervals
listed as (
    select
        json_group_array(group_id) as groups,
        json_group_array(span_start) as starts,
        json_group_array(span_end) as ends
    from spans
)
{swept swept(groups, starts, ends, $2, $3, $5, $6)}
