-- What does a minute of CI cost?
-- $1 repository
select document
from ci_prices
where repository_id = $1;
