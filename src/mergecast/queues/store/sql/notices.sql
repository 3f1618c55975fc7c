-- Messages that were not taken yet, the oldest first but digests last, at most a few of each channel.
-- $1 how many
select id, channel_id, kind, key, phase, created_at, document, attempts, next_at, waiting
from (
    select
        *,
        row_number() over (partition by channel_id order by kind = 'digest', created_at, id {bytewise}) as place,
        count(*) over (partition by channel_id) as waiting
    from notices
) as placed
where place <= $1
order by kind = 'digest', created_at, id {bytewise};
