-- Which stays, CI runs and bisections do these events belong to?
-- $1 repository, $2 source or null, $3 first instant or null, $4 instant after the last or null
select stay as number
from events
where repository_id = $1
    and ($2::text is null or source = $2::text)
    and ($3::bigint is null or happened_at >= $3::bigint)
    and ($4::bigint is null or happened_at < $4::bigint)
    and stay is not null
union
select run
from events
where repository_id = $1
    and ($2::text is null or source = $2::text)
    and ($3::bigint is null or happened_at >= $3::bigint)
    and ($4::bigint is null or happened_at < $4::bigint)
    and run is not null;
