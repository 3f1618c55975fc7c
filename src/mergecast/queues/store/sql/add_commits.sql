-- Add the commits that stored events lacked.
-- $1 repository, $2 high and $3 low halves of the events' keys, $4 their commits
update events
set head_sha = added.head_sha
from (
    select unnest($2::bigint[]) as key_high, unnest($3::bigint[]) as key_low, unnest($4::text[]) as head_sha
) as added
where events.repository_id = $1
    and events.key_high = added.key_high
    and events.key_low = added.key_low;
