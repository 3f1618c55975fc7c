-- Which server follows which source.
select name, holder, until, next_at, error
from leases
order by name;
