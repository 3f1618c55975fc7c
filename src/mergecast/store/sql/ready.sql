-- Does the store answer?
select last_version
from store_state;
