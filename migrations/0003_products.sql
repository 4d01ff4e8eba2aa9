-- Which tenant a card number belongs to: asked before the tenant is known, so a reference table.
create table bins (
  bin text primary key check (bin ~ '^[0-9]{6,8}$'),
  tenant_id uuid not null references tenants (id)
);

-- Card products (D-29). Amounts are minor units of the product's currency.
create table card_products (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  status text not null check (status in ('INACTIVE', 'ACTIVE')),
  currency text not null,
  bin text not null,
  pan_range_start text not null,
  pan_range_end text not null,
  link_account_to_card boolean not null,
  virtual_to_physical_expiry_duration integer not null,
  initial_status_of_physical_card text not null
    check (initial_status_of_physical_card in ('INACTIVE', 'ACTIVE')),
  initial_status_of_virtual_card text not null
    check (initial_status_of_virtual_card in ('INACTIVE', 'ACTIVE')),
  card_validity_months integer not null,
  pin jsonb not null,
  -- Only the switches that were set; all others are allowed (D-104).
  auth_settings jsonb not null,
  allowed_countries_id uuid,
  allowed_mccs_id uuid,
  allowed_merchants_id uuid,
  num_of_cards_per_user integer,
  partial_approval boolean not null,
  identify_above bigint,
  otp_3ds boolean not null,
  clearing_tolerance_percent integer not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  check (pan_range_start <= pan_range_end and length(pan_range_start) = length(pan_range_end))
);
create index card_products_newest on card_products (tenant_id, created, id);
