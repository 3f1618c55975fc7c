-- Add the commits that stored events lacked.
-- $1 repository, $2 high and $3 low halves of the events' keys, $4 their commits
update events
set head_sha = added.head_sha
from {given $2 bigint key_high, $3 bigint key_low, $4 text head_sha} as added
where events.repository_id = $1
    and events.key_high = added.key_high
    and events.key_low = added.key_low;
