{at} >= least($2::bigint, $8::bigint)
        and {at} < greatest($3::bigint, $9::bigint)
        and (({at} >= $2::bigint and {at} < $3::bigint) or ({at} >= $8::bigint and {at} < $9::bigint))
