-- Drop the bodies of old deliveries; what translation needs of them stays.
-- $1 repository, $2 instant of reception before which they are old
update deliveries
set body = null, dictionary = null
where repository_id = $1 and received_at < $2 and body is not null;
