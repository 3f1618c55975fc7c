-- Keep the last comparison with a reference period.
-- $1 repository, $2 name, $3 the hour up to which it was compared, $4 the comparison
update reference_periods
set compared_at = cast($3 as bigint), comparison = cast($4 as text)
where repository_id = $1 and name = $2;
