-- Which stays ended before an instant? In the order of their ends.
-- $1 repository, $2 the instant, $3 end and $4 number of the last stay seen, $5 how many
select left_at, stay
from stays
where repository_id = $1
    and left_at < cast($2 as bigint)
    and left_at >= cast($3 as bigint)
    and (left_at > cast($3 as bigint) or stay > cast($4 as bigint))
order by left_at, stay
limit cast($5 as bigint);
