-- In which repositories are removals to be judged by now, or being judged?
-- $1 instant
select repository_id
from repository_state
where judge_by <= cast($1 as bigint)
    or judging_from is not null
order by coalesce(judge_by, 0), repository_id;
