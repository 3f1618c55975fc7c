-- Which verdicts are stored? A page of them.
-- $1 repository, $2 the last stay of the page before, $3 how many
select {verdicts_columns}
from verdicts
where repository_id = $1
    and stay > $2::bigint
order by stay
limit $3::bigint;
