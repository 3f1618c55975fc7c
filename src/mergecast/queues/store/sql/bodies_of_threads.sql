-- What the deliveries of some threads say, and the bodies that are kept of them, in any order.
-- $1 repository, $2 numbers of the threads, $3 bytes of the longest text that is loaded
select number, thread, source, kind, guid, event, received_at, fields, body, dictionary
from deliveries
where repository_id = $1
    and thread {among $2 bigint}
    and body is not null
    and length(fields) <= $3
    and length(body) <= $3;
