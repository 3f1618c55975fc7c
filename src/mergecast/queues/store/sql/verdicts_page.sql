-- Which verdicts are stored? A page of them.
-- $1 repository, $2 the last stay of the page before, $3 how many
select {verdicts_columns}
from verdicts
where repository_id = $1
    and stay > cast($2 as bigint)
order by stay
limit cast($3 as bigint);
