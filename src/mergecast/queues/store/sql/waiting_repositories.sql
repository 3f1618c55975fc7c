-- The repositories in which threads wait for translation.
select distinct repository_id
from waiting_threads;
