-- What was recorded of open pull requests, the newest first, as many as stay together within a length.
-- $1 repository, $2 how many at most, $3 how many characters at most
with measured as (
    select
        number,
        document,
        sum(length(document)) over (order by number desc) as characters
    from snapshots
    where repository_id = $1 and is_open
)
select number, document
from measured
where characters <= $3
order by number desc
limit $2;
