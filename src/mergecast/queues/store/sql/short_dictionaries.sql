-- What were the bodies of some deliveries compressed with?
-- $1 repository, $2 ids of dictionaries, $3 bytes of the longest that is loaded
select id, body
from dictionaries
where repository_id = $1
    and id {among $2 text}
    and length(body) <= $3;
