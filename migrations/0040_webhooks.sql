-- A subscription that is deleted keeps its row and its deliveries: an event that is being written
-- at that moment refers to it, and must not fail for it.
alter table webhooks add column deleted timestamptz;

-- The worker claims by subscription, the oldest due first; nothing asks across subscriptions.
create index deliveries_to_claim on deliveries (tenant_id, webhook_id, due) where due is not null;
drop index deliveries_due;
