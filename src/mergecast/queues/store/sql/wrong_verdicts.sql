-- Which verdicts are about stays that did not end so, or not then?
-- $1 repository, $2 reasons that are no removals
select verdicts.stay
from verdicts
left join stays
    on stays.repository_id = $1
    and stays.stay = verdicts.stay
where verdicts.repository_id = $1
    and (
        stays.left_at is null
        or stays.left_at <> verdicts.left_at
        or stays.reason {among $2 text}
    )
order by verdicts.stay;
