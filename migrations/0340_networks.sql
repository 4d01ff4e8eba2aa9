-- migrate:needs-program 0260
-- Keys of the networks of NETWORKS_FILE (D-1032). They belong to no tenant: reference tables of a
-- few rows. The version before reads and writes neither.

create table network_keys (
  id uuid primary key,
  network text not null check (network ~ '^[a-z][a-z0-9-]{0,31}$'),
  -- ZAK: of the codes of messages (MAC). ZPK: of PIN blocks.
  use text not null check (use in ('ZAK', 'ZPK')),
  check_value text not null check (check_value ~ '^[0-9A-F]{6}$'),
  sealed bytea not null,
  created timestamptz not null
);
create index network_keys_newest on network_keys (network, use, id);

-- Keys that an operator asked a network for.
create table network_exchanges (
  id uuid primary key,
  network text not null check (network ~ '^[a-z][a-z0-9-]{0,31}$'),
  use text not null check (use in ('ZAK', 'ZPK')),
  -- SENT: the network was asked, and no key has come yet.
  state text not null check (state in ('REQUESTED', 'SENT', 'DONE', 'FAILED')),
  created timestamptz not null,
  modified timestamptz not null
);
create index network_exchanges_newest on network_exchanges (network, id);
