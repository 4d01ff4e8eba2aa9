-- Card numbers and keys. Only issuing/vault/store.ts names this schema.
create schema vault;

create table vault.pans (
  tenant_id uuid not null,
  card_id uuid not null,
  -- AES-256-GCM under a data key, bound to tenant and card.
  sealed bytea not null,
  -- Keyed digest, for finding a card by its number.
  digest bytea not null,
  primary key (tenant_id, card_id)
);
create unique index pans_by_digest on vault.pans (tenant_id, digest);

-- The numbers of a product, in a secret order: `next` is how many of them are taken.
create table vault.ranges (
  tenant_id uuid not null,
  card_product_id uuid not null,
  bin text not null,
  range_start bigint not null,
  range_end bigint not null,
  next bigint not null default 0,
  primary key (tenant_id, card_product_id),
  check (range_start >= 0 and range_start <= range_end),
  check (next between 0 and range_end - range_start + 1)
);
create index ranges_of_bin on vault.ranges (tenant_id, bin);

-- Verification and PIN keys of a product, sealed.
create table vault.key_sets (
  tenant_id uuid not null,
  card_product_id uuid not null,
  version integer not null,
  sealed bytea not null,
  modified timestamptz not null,
  primary key (tenant_id, card_product_id)
);
