-- How many audit lines there are, and how long they are together: to see whether they can be read.
select
    count(*),
    cast(coalesce(sum(length(id || coalesce(owner, '') || coalesce(repository, '') || document)), 0) as bigint) as characters
from audit_lines;
