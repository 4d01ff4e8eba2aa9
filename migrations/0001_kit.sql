-- What every slice stands on: tenants and their keys, sealed data keys, stored answers, events.
-- Reference tables (tenants, api_keys, data_keys) are small and have no tenant in front; all other
-- tables start their keys with tenant_id, so that a tenant's rows lie together (Citus).

create table tenants (
  id uuid primary key,
  name text not null,
  -- The tenant's clock is the real one plus this (D-70); it only grows.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- Only what was set; defaults stand in issuing/tenants/settings (D-25).
  settings jsonb not null default '{}',
  created timestamptz not null,
  modified timestamptz not null
);

create table api_keys (
  id uuid primary key,
  -- Null for the operator, who belongs to no tenant (D-100).
  tenant_id uuid references tenants (id),
  key_hash bytea not null unique,
  hint text not null,
  permissions text[] not null,
  created timestamptz not null,
  revoked timestamptz,
  check ((tenant_id is null) = ('operator' = any (permissions)))
);
create index api_keys_of_tenant on api_keys (tenant_id, created, id);

-- Token buckets of D-11. Unlogged: they may be forgotten in a crash, and cost no flush.
create unlogged table rate_buckets (
  key_hash bytea primary key,
  tokens double precision not null,
  allowed boolean not null,
  filled timestamptz not null
);

create table data_keys (
  id uuid primary key,
  purpose text not null,
  generation integer not null,
  -- AES-256 key wrapped under the master key.
  wrapped bytea not null,
  created timestamptz not null,
  retired timestamptz,
  unique (purpose, generation)
);

create table idempotency_keys (
  tenant_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  content_type text not null,
  body text not null,
  created timestamptz not null,
  primary key (tenant_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created);

create table events (
  tenant_id uuid not null,
  id uuid not null,
  event text not null,
  object_id uuid not null,
  -- Counts the events of one object from 1, without a gap.
  sequence integer not null,
  -- Null where the object keeps its own history: the event is then told from that (transactions).
  payload json,
  created timestamptz not null,
  -- The feed reads only below the oldest running transaction, so it never steps over a late commit.
  txid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
create unique index events_of_object on events (tenant_id, object_id, sequence);
create index events_feed on events (tenant_id, txid, id);

-- Subscriptions (D-60 to D-65). Secrets are sealed; see issuing/webhooks.
create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  endpoint text not null,
  events text[] not null,
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  basic_auth_username text,
  sealed_config bytea not null,
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  failing_since timestamptz,
  disabled_reason text,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
);

create table deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  object_id uuid not null,
  sequence integer not null,
  status text not null check (status in ('PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED')),
  attempts integer not null default 0,
  -- When the next attempt is due, on the tenant's clock; null when there is none.
  due timestamptz,
  -- The worker that holds it has until then, in real time; afterwards another may take it.
  claimed_until timestamptz,
  response_status integer,
  response_body text,
  error text,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
);
create unique index deliveries_once on deliveries (tenant_id, webhook_id, event_id);
create index deliveries_due on deliveries (tenant_id, due) where due is not null;
create index deliveries_in_order on deliveries (tenant_id, webhook_id, object_id, sequence)
  where due is not null;
create index deliveries_of_webhook on deliveries (tenant_id, webhook_id, created, id);
