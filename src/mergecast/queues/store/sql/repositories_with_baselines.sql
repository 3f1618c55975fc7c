-- The repositories that have baselines.
select distinct repository_id
from baselines;
