-- Delete these events.
-- $1 repository, $2 source or null, $3 first instant or null, $4 instant after the last or null
delete from events
where repository_id = $1
    and ($2::text is null or source = $2::text)
    and ($3::bigint is null or happened_at >= $3::bigint)
    and ($4::bigint is null or happened_at < $4::bigint);
