-- Does the store answer?
select max(repository_id)
from repositories;
