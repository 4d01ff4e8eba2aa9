-- Card products and the BINs of their numbers.

-- The tenant of a card number. Reference table.
create table bins (
  bin text primary key check (bin ~ '^[0-9]{6,8}$'),
  tenant_id uuid not null references tenants (id)
);

-- Card products (D-29).
create table card_products (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  status text not null check (status in ('INACTIVE', 'ACTIVE')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  bin text not null,
  pan_range_start text not null,
  pan_range_end text not null,
  -- The BIN of the numbers of wallet tokens; null where there are none.
  token_bin text,
  link_account_to_card boolean not null,
  -- Days.
  virtual_to_physical_expiry_duration integer not null,
  initial_status_of_physical_card text not null
    check (initial_status_of_physical_card in ('INACTIVE', 'ACTIVE')),
  initial_status_of_virtual_card text not null
    check (initial_status_of_virtual_card in ('INACTIVE', 'ACTIVE')),
  card_validity_months integer not null,
  -- length, max_tries and refuse_weak.
  pin jsonb not null,
  -- Only the switches that were set; all others allow (D-104).
  auth_settings jsonb not null,
  -- Of allowed_lists, which has the lists of each kind.
  allowed_countries_id uuid,
  allowed_mccs_id uuid,
  allowed_merchants_id uuid,
  num_of_cards_per_user integer,
  partial_approval boolean not null,
  -- Amount from which the terminal is asked to identify the cardholder (0001).
  identify_above bigint,
  otp_3ds boolean not null,
  clearing_tolerance_percent integer not null,
  -- The most that one credit without a purchase may be, and those of one card in a day (D-315).
  -- Null: any amount in sandbox, none in live.
  unlinked_credit_max_amount bigint check (unlinked_credit_max_amount >= 0),
  unlinked_credit_max_daily_amount bigint check (unlinked_credit_max_daily_amount >= 0),
  -- Whether chip entries pass where the product has no chip keys; null is the default of the
  -- program's mode (D-325).
  emv text check (emv in ('WAIVED', 'REQUIRED')),
  -- What is charged for, of each type at most one: {type, amount or percent, description}.
  charges jsonb not null default '[]',
  -- Whether its charges take an account below zero; else they wait until they are covered.
  allow_negative_charges boolean not null default false,
  -- Limits that are linked to it (D-41, D-42).
  balance_limit_ids uuid[] not null default '{}',
  velocity_limit_ids uuid[] not null default '{}',
  -- Raised by every change. A decision is written only on the version that it was made on.
  version bigint not null default 1,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  check (pan_range_start <= pan_range_end and length(pan_range_start) = length(pan_range_end))
);
-- For the list of products.
create index card_products_newest on card_products (tenant_id, created, id);
