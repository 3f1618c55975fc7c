-- Delete the executions that are selected.
-- $1 repository, $2 source, $3 start, $4 end, $5 placed before; null does not restrict
delete from ci_checks
where repository_id = $1
    and ($2::text is null or source = $2::text)
    and ($3::bigint is null or happened_at >= $3::bigint)
    and ($4::bigint is null or happened_at < $4::bigint)
    and ($5::bigint is null or placed_at < $5::bigint);
