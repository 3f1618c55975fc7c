-- Does every part of the store answer? On Citus this asks all workers.
select max(repository_id)
from repository_state;
