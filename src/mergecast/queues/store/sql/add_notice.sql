-- Add a message.
-- $1 id, $2 channel, $3 kind, $4 key, $5 phase, $6 created_at, $7 document, $8 when to send it
insert into notices (id, channel_id, kind, key, phase, created_at, document, attempts, next_at)
values ($1, $2, $3, $4, $5, $6, $7, 0, $8);
