-- Who follows what.
select name, holder, until, next_at, error
from leases
order by name;
