-- What the newest deliveries of a thread say.
-- $1 repository, $2 number of the thread, $3 how many, $4 bytes of the longest text that is loaded
select number, thread, happened_at, is_about_queue as "is_about_queue [boolean]", case when length(fields) <= $4 then fields end
from deliveries
where repository_id = $1 and thread = $2
order by number desc
limit $3;
