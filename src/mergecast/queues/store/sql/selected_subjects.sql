-- Which stays, CI runs and bisections do these events belong to?
-- $1 repository, $2 source or null, $3 first instant or null, $4 instant after the last or null
select stay as number
from events
{selected}
    and stay is not null
union
select run
from events
{selected}
    and run is not null;
