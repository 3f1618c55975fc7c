-- Count more deliveries of a source.
-- $1 repository, $2 source, $3 kind, $4 how many, $5 and $6 when the first and the last were received
update sources
set deliveries = deliveries + $4, first_at = case when first_at < $5 then first_at else $5 end, last_at = case when last_at > $6 then last_at else $6 end
where repository_id = $1 and source = $2 and kind = $3;
