-- Note the channels that an alert was sent to.
-- $1 repository, $2 key, $3 incidents by channel
update causes
set announced = $3
where repository_id = $1 and kind = 'alert' and phase = 'begin' and key = $2;
