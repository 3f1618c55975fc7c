-- The repositories in which threads wait for translation.
select distinct repositories.owner, repositories.name
from waiting_threads
join repositories
    on repositories.repository_id = waiting_threads.repository_id;
