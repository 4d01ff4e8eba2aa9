-- Wallet tokens: a card in a wallet has a number of its own (D-39). The number is in the vault.

create table tokens (
  tenant_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  wallet text not null check (wallet in ('APPLE', 'GOOGLE', 'SAMSUNG', 'OTHER')),
  device_name text,
  status text not null check (status in ('ACTIVE', 'SUSPENDED', 'DELETED')),
  bin text not null,
  last_four text not null,
  -- YYYY-MM: that of the card when it was provisioned.
  expiry_date text not null check (expiry_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, card_id) references cards (tenant_id, id)
);
-- For the list of a card's tokens.
create index tokens_of_card on tokens (tenant_id, card_id, created, id);
