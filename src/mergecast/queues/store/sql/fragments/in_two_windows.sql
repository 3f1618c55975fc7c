{at} >= case when cast($2 as bigint) < cast($8 as bigint) then $2 else $8 end
        and {at} < case when cast($3 as bigint) > cast($9 as bigint) then $3 else $9 end
        and (({at} >= cast($2 as bigint) and {at} < cast($3 as bigint)) or ({at} >= cast($8 as bigint) and {at} < cast($9 as bigint)))
