-- Card numbers, PINs and keys. Only issuing/vault/store.ts names this schema. Sealed columns are
-- AES-256-GCM under a data key, bound to the key of their row.
create schema vault;

-- The numbers of cards and of wallet tokens.
create table vault.pans (
  tenant_id uuid not null,
  -- The id of the card, or of the token.
  card_id uuid not null,
  sealed bytea not null,
  -- Keyed digest, by which a card is found from its number.
  digest bytea not null,
  -- The card of the token; null where the row is of a card.
  token_of uuid,
  primary key (tenant_id, card_id)
);
create unique index pans_by_digest on vault.pans (tenant_id, digest);

-- Verification values of PINs (D-37).
create table vault.pins (
  tenant_id uuid not null,
  card_id uuid not null,
  sealed bytea not null,
  -- Wrong PINs in a row.
  failures integer not null default 0 check (failures >= 0),
  modified timestamptz not null,
  primary key (tenant_id, card_id)
);

-- The numbers of a product for its cards, and for the wallet tokens of its cards (D-39), assigned
-- in a secret order.
create table vault.ranges (
  tenant_id uuid not null,
  card_product_id uuid not null,
  kind text not null default 'CARD' check (kind in ('CARD', 'TOKEN')),
  bin text not null,
  -- The first and last number: the digits between BIN and check digit.
  range_start bigint not null,
  range_end bigint not null,
  -- How many of them are assigned.
  next bigint not null default 0,
  primary key (tenant_id, card_product_id, kind),
  check (range_start >= 0 and range_start <= range_end),
  check (next between 0 and range_end - range_start + 1)
);
-- For the check that ranges of one BIN do not overlap.
create index ranges_of_bin on vault.ranges (tenant_id, bin);

-- The card verification and PIN keys of a product.
create table vault.key_sets (
  tenant_id uuid not null,
  card_product_id uuid not null,
  version integer not null,
  sealed bytea not null,
  modified timestamptz not null,
  primary key (tenant_id, card_product_id)
);
