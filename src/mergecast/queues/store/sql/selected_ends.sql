-- Which starts and ends do these events report, and of which stays, CI runs and bisections?
-- $1 repository, $2 source or null, $3 first instant or null, $4 instant after the last or null
select distinct type, case when type in ('queue_entered', 'queue_left') then stay else run end as subject
from events
{selected}
    and type in ('queue_entered', 'queue_left', 'checks_started', 'checks_ended', 'bisection_ended')
    and (run is not null or type in ('queue_entered', 'queue_left'));
