-- Which bisections ended before an instant? In the order of their ends.
-- $1 repository, $2 the instant, $3 end and $4 number of the last bisection seen, $5 how many
select ended_at, bisection
from bisection_ends
where repository_id = $1
    and ended_at < cast($2 as bigint)
    and ended_at >= cast($3 as bigint)
    and (ended_at > cast($3 as bigint) or bisection > cast($4 as bigint))
order by ended_at, bisection
limit cast($5 as bigint);
