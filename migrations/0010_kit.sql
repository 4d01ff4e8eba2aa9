-- What the kit stores for every slice: the mode of the installation, data keys, stored responses,
-- token buckets and events.
--
-- In all files: primary and unique keys begin with tenant_id, so that the rows of a tenant can be
-- kept together on one server (Citus). Reference tables are the exception: they are small, and most
-- are read before the tenant is known. `created` and `modified` are instants of the tenant's clock,
-- in reference tables of the database's. `due` is when a sweep processes the row next; null where
-- there is nothing to do. Amounts are minor units of the currency in the same row, where nothing
-- else is stated, and currencies are the letters of ISO 4217. Constraints repeat what the rules of
-- the slices promise.

-- Whether this database belongs to a sandbox or to a live platform. Written once, at the first
-- start, before anything else (D-330). Reference table of one row.
create table installation (
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'live')),
  recorded timestamptz not null default now()
);

-- Keys that seal columns or derive values, by purpose. Reference table.
create table data_keys (
  id uuid primary key,
  purpose text not null,
  -- The rotations of this purpose count up from 1.
  generation integer not null,
  -- AES-256 key, wrapped under the master key or by the key service.
  wrapped bytea not null,
  created timestamptz not null,
  -- When the key began to seal. Before that it opens only, so that every process knows it before
  -- the first bytes are sealed under it.
  activated timestamptz,
  -- When its successor was made. A retired key opens only.
  retired timestamptz,
  unique (purpose, generation)
);

-- The response of each POST that had an idempotency key (D-10): a repeat gets the same one.
create table idempotency_keys (
  tenant_id uuid not null,
  key text not null,
  -- Keyed digest of the request: another request under the same key is an error.
  fingerprint bytea not null,
  -- HTTP status of the response.
  status smallint not null check (status between 100 and 599),
  content_type text not null,
  body text not null,
  created timestamptz not null,
  primary key (tenant_id, key)
);
-- For the deletion of old responses, of all tenants together.
create index idempotency_keys_by_age on idempotency_keys (created);

-- Token buckets of the rate limit (D-11). Unlogged: a crash may empty it, and a write costs no
-- flush.
create unlogged table rate_buckets (
  -- That of the API key.
  key_hash bytea primary key,
  tokens double precision not null,
  -- How many tokens the last statement took, for requests that waited and for those to come.
  granted double precision not null,
  -- When `tokens` was computed, on the database's clock.
  filled timestamptz not null
);

-- Events, written in the transaction of their cause (D-60).
create table events (
  tenant_id uuid not null,
  id uuid not null,
  -- The kind, for example CARD_STATUS_CHANGE.
  event text not null,
  -- The card, user, transaction … that it is about.
  object_id uuid not null,
  -- Counts the events of one object from 1, without a gap.
  sequence integer not null,
  -- Null where the object stores its own history, from which the event is rendered (transactions).
  payload json,
  created timestamptz not null,
  -- The feed returns only events below the oldest running transaction, so that a late commit never
  -- appears behind a cursor.
  txid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
create unique index events_of_object on events (tenant_id, object_id, sequence);
-- For GET /v1/events.
create index events_feed on events (tenant_id, txid, id);
