-- Merchants of the order service and their key pairs (D-84). Reference tables.

create table merchants (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  name text not null,
  -- What the payment page shows.
  display_name text not null,
  -- The name in DE43, in Latin letters; null takes it from display_name, which then has some.
  descriptor text check (descriptor ~ '^[\x20-\x7e]{1,25}$' and descriptor ~ '[A-Za-z0-9]'),
  status text not null check (status in ('ACTIVE', 'INACTIVE')),
  mcc text not null check (mcc ~ '^[0-9]{4}$'),
  -- ISO 3166 alpha-3.
  country text not null,
  city text not null,
  -- How the card network knows the merchant: DE42 and DE41.
  card_acceptor_id text not null check (length(card_acceptor_id) = 15),
  terminal_id text not null check (length(terminal_id) = 8),
  -- The name of the issuer to which new payments go; null is the default one (D-761).
  issuer text check (issuer ~ '^[a-z][a-z0-9-]{0,31}$'),
  -- How long a bearer token is valid.
  token_minutes integer not null check (token_minutes between 5 and 60),
  capture_window_days integer not null check (capture_window_days between 1 and 30),
  -- What happens to an order that is not captured in that time.
  deadline_policy text not null check (deadline_policy in ('void', 'capture')),
  -- Whether an order may be captured in several parts.
  partial_captures boolean not null,
  -- Hosts to which a checkout may return; an empty list allows any.
  callback_hosts text[] not null,
  -- Whether its customers may let it keep their cards.
  kept_cards boolean not null,
  -- The look of the payment page: #rrggbb, and a picture as a data URL.
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  logo text check (length(logo) <= 32768),
  -- What is taken of captures and refunds, by currency.
  fees jsonb not null,
  created timestamptz not null,
  modified timestamptz not null
);
-- For the list of merchants.
create index merchants_newest on merchants (created, id);

create table merchant_keys (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  tenant_id uuid not null references tenants (id),
  public_key text not null unique,
  private_key_hash bytea not null,
  created timestamptz not null,
  revoked timestamptz
);
-- For the list of a merchant's keys.
create index merchant_keys_of_merchant on merchant_keys (merchant_id, created, id);
