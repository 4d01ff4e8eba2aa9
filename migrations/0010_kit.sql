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
-- flush. On a cluster the table is logged: a shard that is not cannot be moved.
create unlogged table rate_buckets (
  -- Of the key or session; the id that stands for no tenant where it is the operator's.
  tenant_id uuid not null,
  -- That of the API key.
  key_hash bytea not null,
  tokens double precision not null,
  -- How many tokens the last statement took, for requests that waited and for those to come.
  granted double precision not null,
  -- When `tokens` was computed, on the database's clock.
  filled timestamptz not null,
  primary key (tenant_id, key_hash)
);

-- One row for each tenant, written with the tenant and never changed; also for the id that stands
-- for no tenant. A statement that inserts what it is given in arrays selects it from here, so that
-- Citus finds the server of the tenant, and a search for tenants with due work begins here.
create table tenant_anchors (
  tenant_id uuid primary key
);
insert into tenant_anchors values ('00000000-0000-0000-0000-000000000000');

-- Numbers that are counted up for each tenant (D-655).
create table counters (
  tenant_id uuid not null,
  name text not null,
  -- The one that was drawn last.
  value bigint not null check (value > 0),
  primary key (tenant_id, name)
);

-- Rows that are locked in place of what is not there yet, or is no one row (D-656). They are made
-- when they are first needed, and stay.
create table locks (
  tenant_id uuid not null,
  name text not null,
  primary key (tenant_id, name)
);

-- When a sweep has to look at a tenant next (D-691): `due` is at or before the earliest due time of
-- the tenant's rows of that kind, on the clock of those rows. Without a row nothing is pending.
create table due_work (
  tenant_id uuid not null,
  -- The name of the sweep.
  kind text not null,
  due timestamptz not null,
  primary key (tenant_id, kind)
);
-- For the look at all tenants, once a second.
create index due_work_by_due on due_work (due);

-- Draws the places of rows of events, which are their order until they are numbered.
create sequence event_places;

-- The feed of each tenant (D-495). Its row is locked while rows of events get their numbers.
create table feeds (
  tenant_id uuid primary key,
  -- The number that was given last.
  last bigint not null default 0,
  -- The same before the newest portion of rows was numbered.
  before bigint not null default 0,
  -- Whether further rows waited behind that portion.
  has_more boolean not null default false
) with (fillfactor = 50);

-- Events, written in the transaction of their cause (D-60). A row is one event, or the events of a
-- batch of decisions, which all have its kind (D-395). The id of event n of a batch, counted from
-- 0, is the id of the row with its last three hexadecimal digits, which are 000, replaced by n.
-- Partitioned by month (D-398): the program makes the partitions (src/program/partitioned.ts), each with
-- unique indexes which the whole table cannot have: on tenant_id, object_id and sequence, and on
-- tenant_id and number, which also serves GET /v1/events.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  -- The kind, for example CARD_STATUS_CHANGE.
  event text not null,
  -- The card, user … that it is about. Null in the row of a batch.
  object_id uuid,
  -- The merchant whose subscriptions get it beside those of the tenant. Null where there is none.
  merchant_id uuid,
  -- Counts the events of one object from 1, without a gap.
  sequence integer,
  -- Null where the object stores its own history, from which the event is rendered (transactions).
  payload json,
  -- The objects and the sequences of the events of a batch, in their order. None where a batch of
  -- unknown outcome was found not to be committed, and must never be (D-401), or, with a payload,
  -- where one was committed that changed no object.
  object_ids uuid[],
  sequences integer[],
  -- The subscriptions that were ACTIVE for the kind when a batch was written, which get deliveries
  -- when the row is numbered. Null where there was none.
  to_deliver uuid[],
  -- Until the row is numbered: of two rows that contain the same object, the earlier one has the
  -- smaller place.
  place bigint default nextval('event_places'),
  -- Its place in the feed of the tenant, given after the commit: a later one is never behind an
  -- earlier one (D-495).
  number bigint,
  created timestamptz not null,
  primary key (tenant_id, id),
  check ((place is null) = (number is not null)),
  check (case when object_ids is null
    then object_id is not null and sequence is not null and sequences is null
    else object_id is null and sequence is null and cardinality(object_ids) <= 4096
      and cardinality(object_ids) = coalesce(cardinality(sequences), 0)
  end)
) partition by range (id);
-- Not compressed: that would be a fifth of the time of the write.
alter table events alter object_ids set storage external, alter sequences set storage external;
-- For the rows that are still to be numbered, and whose deliveries are to be made.
create index events_unnumbered on events (tenant_id, place) where place is not null;
