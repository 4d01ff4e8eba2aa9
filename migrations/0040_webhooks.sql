-- A subscription that is deleted keeps its row and its deliveries: an event that is being written
-- at that moment refers to it, and must not fail for it.
alter table webhooks add column deleted timestamptz;

-- The worker claims by subscription, the oldest due first; nothing asks across subscriptions. The
-- condition is another than that of deliveries_in_order, so that the question what stands before a
-- delivery is never answered by this index, not even while statistics are old.
create index deliveries_to_claim on deliveries (tenant_id, webhook_id, due)
  where status in ('PENDING', 'RETRYING');
drop index deliveries_due;
