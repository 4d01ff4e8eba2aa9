-- The audit log (D-500): one record for each change through an API and for each reading of card
-- data, and the chain of hashes that a sweep makes of them. Records and chain are only added to:
-- the role of the program may not change or delete them, and a trigger rejects it for every other.

create table audit_records (
  -- The tenant that it is about; zeros where an action of the operator is about none.
  tenant_id uuid not null,
  id uuid not null,
  -- The operation as the OpenAPI document names it.
  operation text not null check (operation ~ '^[A-Za-z]{1,64}$'),
  actor_kind text not null
    check (actor_kind in ('client', 'operator', 'merchant', 'widget', 'member')),
  -- The API key, the merchant, the digest of a widget token, or the person; never a secret.
  actor_id text not null check (length(actor_id) <= 64),
  -- Where the request came from: an IP address.
  address text not null check (length(address) <= 64),
  -- What the request names and what it made.
  object_ids uuid[] not null check (cardinality(object_ids) <= 16),
  -- The members of the body, without their values.
  members text[] not null check (cardinality(members) <= 64),
  -- HTTP status of the answer.
  status smallint not null check (status between 100 and 599),
  request_id uuid not null,
  -- Keyed digest of method, path and body.
  digest bytea not null check (length(digest) = 32),
  -- By the tenant's clock, and by the database's.
  created timestamptz(3) not null,
  recorded timestamptz(3) not null,
  primary key (tenant_id, id)
);
-- For the list, newest first, and by each of its filters.
create index audit_records_newest on audit_records (tenant_id, created, id);
create index audit_records_by_actor on audit_records (tenant_id, actor_id, created, id);
create index audit_records_by_operation on audit_records (tenant_id, operation, created, id);
-- Ids are unique enough to be found without the tenant. Without a list of pending entries, which
-- one unlucky request would have to merge.
create index audit_records_by_object on audit_records using gin (object_ids)
  with (fastupdate = off);

create sequence audit_places;

-- Records that are committed and not in the chain yet.
create table audit_pending (
  tenant_id uuid not null,
  -- Drawn while the objects of the change are locked: a later change has a greater place.
  place bigint not null default nextval('audit_places'),
  record_id uuid not null,
  primary key (tenant_id, place)
);

-- The records of a tenant in their order. Each hash covers the record, the tenant, the sequence and
-- the hash before it.
create table audit_chain (
  tenant_id uuid not null,
  -- Counts from 1 without gaps.
  sequence bigint not null check (sequence > 0),
  record_id uuid not null,
  -- SHA-256. Zeros before the first.
  previous bytea not null check (length(previous) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (tenant_id, sequence),
  unique (tenant_id, record_id)
);

create function reject_change() returns trigger language plpgsql as $$
begin
  raise insufficient_privilege using message = format('table %s is append-only', tg_table_name);
end $$;

create trigger append_only before update or delete on audit_records
  for each row execute function reject_change();
create trigger append_only_whole before truncate on audit_records
  for each statement execute function reject_change();
create trigger append_only before update or delete on audit_chain
  for each row execute function reject_change();
create trigger append_only_whole before truncate on audit_chain
  for each statement execute function reject_change();
