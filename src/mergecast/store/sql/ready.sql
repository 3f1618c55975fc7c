-- Does the store answer?
select max(number)
from schema_migrations;
