-- The sums of some blocks of days.
-- $1 repository, $2 the first days of the blocks
select {ci_block_sum_columns}
from ci_block_sums
where repository_id = $1 and first_day in (select unnest($2::integer[]));
