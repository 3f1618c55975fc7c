-- The rows of a `Selection`: $1 repository, $2 source, $3 start, $4 end; null does not restrict.
where repository_id = $1
    and (cast($2 as text) is null or source = cast($2 as text))
    and (cast($3 as bigint) is null or happened_at >= cast($3 as bigint))
    and (cast($4 as bigint) is null or happened_at < cast($4 as bigint))
