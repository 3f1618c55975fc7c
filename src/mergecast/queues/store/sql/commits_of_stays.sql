-- Which commit did these stays have?
-- $1 repository, $2 stays
select stay, head_sha
from stays
where repository_id = $1
    and stay {among $2 bigint}
    and head_sha is not null;
