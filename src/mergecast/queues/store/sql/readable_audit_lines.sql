-- How many audit lines there are, and how long they are together: to see whether they can be read.
select
    count(*),
    coalesce(sum(length(id || coalesce(owner, '') || coalesce(repository, '') || document)), 0)::bigint as characters
from audit_lines;
