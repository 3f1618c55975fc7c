-- How many application keys there are, and how long they are together: to see whether they can be read.
select
    count(*),
    cast(coalesce(sum(length(id || digest || name || owner || scopes)), 0) as bigint) as characters
from application_keys;
