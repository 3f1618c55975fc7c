-- The rows of a `Selection`: $1 repository, $2 source, $3 start, $4 end; null does not restrict.
where repository_id = $1
    and ($2::text is null or source = $2::text)
    and ($3::bigint is null or happened_at >= $3::bigint)
    and ($4::bigint is null or happened_at < $4::bigint)
