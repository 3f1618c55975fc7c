-- Delete the messages of a channel.
-- $1 channel
delete from notices
where channel_id = $1;
