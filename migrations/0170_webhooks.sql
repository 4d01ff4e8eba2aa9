-- Webhook subscriptions and the deliveries of their events (D-60 to D-65).

-- A subscription that is deleted keeps its row and its deliveries: an event that is written at that
-- moment refers to it and must not fail.
create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  endpoint text not null,
  -- The kinds of events.
  events text[] not null,
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  basic_auth_username text,
  -- Credentials and headers that are sent with a delivery, sealed.
  sealed_config bytea not null,
  -- The secret that signs deliveries, sealed. After a rotation the previous one signs as well.
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- Since when every delivery has failed; null while they succeed.
  failing_since timestamptz,
  disabled_reason text check (disabled_reason in ('CLIENT', 'GONE', 'FAILING')),
  created timestamptz not null,
  modified timestamptz not null,
  deleted timestamptz,
  primary key (tenant_id, id)
);

-- One for each event and subscription to its kind. Partitioned by month (D-398).
create table deliveries (
  tenant_id uuid not null,
  -- Made from the ids of the event and the subscription, so that the primary key alone makes a
  -- delivery exist once (D-397).
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  -- Kind, object and sequence of the event: the deliveries of one object are sent in order.
  event text not null,
  object_id uuid not null,
  sequence integer not null,
  status text not null check (status in ('PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED')),
  attempts integer not null default 0,
  -- When the next attempt is due, on the tenant's clock.
  due timestamptz,
  -- The worker that claimed it has until then, on the database's clock; afterwards another one may
  -- claim it.
  claimed_until timestamptz,
  -- The last response of the endpoint, or why there was none.
  response_status integer,
  response_body text,
  error text,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
) partition by range (id);
-- For the list of a subscription's deliveries.
create index deliveries_of_webhook on deliveries (tenant_id, webhook_id, created, id);
-- For the worker, which claims by subscription, the oldest due first.
create index deliveries_to_claim on deliveries (tenant_id, webhook_id, due)
  where status in ('PENDING', 'RETRYING');
-- For the question which deliveries of an object come before one. Its condition differs from that
-- of deliveries_to_claim, so that a plan made from old statistics cannot use that index instead.
create index deliveries_in_order on deliveries (tenant_id, webhook_id, object_id, sequence)
  where due is not null;
