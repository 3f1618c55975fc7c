-- What translation reads of some deliveries has changed.
-- $1 repository, $2 their numbers, $3 the fields of each
update deliveries
set fields = renewed.fields
from {given $2 bigint number, $3 bytea fields} as renewed
where deliveries.repository_id = $1 and deliveries.number = renewed.number;
