-- Webhook subscriptions and the deliveries of their events (D-60 to D-65).

-- A subscription that is deleted keeps its row and its deliveries: an event that is written at that
-- moment refers to it and must not fail.
create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  -- The merchant that it belongs to, of whose events alone it gets deliveries (D-750). Null for one
  -- of the tenant.
  merchant_id uuid,
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
-- For the subscriptions that an event is matched with, and for the lists of each owner.
create index webhooks_of_owner on webhooks (tenant_id, merchant_id, created, id);

-- One for each event and subscription to its kind. Partitioned by month (D-398).
create table deliveries (
  tenant_id uuid not null,
  -- Made from the ids of the event and the subscription, so that the primary key alone makes a
  -- delivery exist once (D-397).
  id uuid not null,
  webhook_id uuid not null,
  -- That of the subscription.
  merchant_id uuid,
  event_id uuid not null,
  -- Kind, object and sequence of the event: the deliveries of one object are sent in order.
  event text not null,
  object_id uuid not null,
  sequence integer not null,
  status text not null check (status in ('PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED')),
  -- Since it was last started, and of all starts together.
  attempts integer not null default 0,
  attempts_made integer not null default 0,
  -- When the next attempt is due, on the tenant's clock.
  due timestamptz,
  -- The worker that claimed it has until then, on the database's clock; afterwards another one may
  -- claim it.
  claimed_until timestamptz,
  -- The last attempt: when it began (on the tenant's clock, and as the receiver was given it), how
  -- long it took, and the response of the endpoint or why there was none.
  sent timestamptz,
  webhook_timestamp bigint,
  duration_ms integer,
  response_status integer,
  response_body text,
  error text,
  -- Headers of the last attempt whose values are secret: names alone. Null where there were none.
  masked_headers text[],
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
) partition by range (id);
-- These indexes begin with the subscription and lack the id, so that a statement that names rows by
-- tenant and id can use the primary key alone, whatever the size of the table was when it was planned.

-- For the list of a subscription's deliveries; of one kind; of one status. Most are DELIVERED, so the
-- list of those needs no index of its own.
create index deliveries_of_webhook on deliveries (webhook_id, created);
create index deliveries_of_kind on deliveries (webhook_id, event, created);
create index deliveries_undelivered on deliveries (webhook_id, status, created)
  where status <> 'DELIVERED';
-- For the worker, which claims by subscription, from both ends of what is due.
create index deliveries_to_claim on deliveries (webhook_id, due)
  where status in ('PENDING', 'RETRYING');
-- For the question which deliveries of an object come before one. Its condition differs from that
-- of deliveries_to_claim, so that a plan made from old statistics cannot use that index instead.
create index deliveries_in_order on deliveries (webhook_id, object_id, sequence)
  where due is not null;
-- For the subscriptions of merchants that have something to be sent, of any number of them.
create index deliveries_of_merchants on deliveries (tenant_id, webhook_id)
  where merchant_id is not null and status in ('PENDING', 'RETRYING');

-- Attempts that a row of `deliveries` no longer shows or that have failed. A delivery that succeeds at
-- its first attempt has none here (D-491). Partitioned by month, as its deliveries are.
create table delivery_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  -- From 1, over all starts of the delivery.
  number integer not null,
  sent timestamptz not null,
  webhook_timestamp bigint not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  masked_headers text[],
  primary key (tenant_id, delivery_id, number)
) partition by range (delivery_id);
