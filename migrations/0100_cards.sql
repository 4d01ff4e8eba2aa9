-- Cards (D-30). Their numbers are in the vault.

create table cards (
  tenant_id uuid not null,
  id uuid not null,
  -- Null where the card is not assigned to a user yet.
  user_id uuid,
  card_product_id uuid not null,
  account_id uuid,
  card_type text not null check (card_type in ('VIRTUAL', 'PHYSICAL')),
  status text not null check (status in ('INACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  status_reason_code text not null check (status_reason_code in ('I0', 'a0', 'A0', 'S0', 'S1', 'S2',
    'P0', 'AT', 'ST', 'T0', 'T1', 'T2', 'T3', 'T4')),
  -- Decides the status code of authorizations: the reasons are the same as the client's (D-897).
  terminated_by_operator boolean not null default false,
  name_on_card text,
  bin text not null,
  last_four text not null,
  -- YYYY-MM: the card is valid to the end of that month.
  expiry_date text not null check (expiry_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- The end of that month.
  valid_until timestamptz not null,
  -- The card that this one replaces, and the one that replaces it (D-36).
  reference_card_id uuid,
  replaced_by_card_id uuid,
  -- The first card of the chain of replacements: limits count over the whole chain.
  chain_id uuid not null,
  bulk_issuance_id uuid,
  fulfillment_status text
    check (fulfillment_status in ('CREATED', 'ORDERED', 'SHIPPED', 'DELIVERED', 'FAILED')),
  -- When a physical card that is CREATED is sent to the embosser.
  emboss_due timestamptz,
  shipping_details jsonb,
  delivery_method text check (delivery_method in ('COURIER', 'MAIL', 'PICKUP')),
  delivery_partner text,
  tracking_number text,
  -- Only the switches that were set; the product's hold for all others (D-104).
  auth_settings jsonb not null,
  -- Of allowed_lists, which has the lists of each kind.
  allowed_countries_id uuid,
  allowed_mccs_id uuid,
  allowed_merchants_id uuid,
  -- Velocity limits that are linked to it (D-42).
  velocity_limit_ids uuid[] not null default '{}',
  -- The migration to a physical card (D-32). While it lasts, the settings that card and product had
  -- at its start apply; after `migration_ends` the virtual card is not authorized any more.
  migration_started timestamptz,
  migration_ends timestamptz,
  frozen_settings jsonb,
  -- Wrong CVV2s and expiry dates at provisioning in a row (D-39).
  provisioning_failures integer not null default 0 check (provisioning_failures >= 0),
  provisioning_blocked_until timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, card_product_id) references card_products (tenant_id, id),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id),
  constraint cards_terminated_by_operator check (status = 'TERMINATED' or not terminated_by_operator),
  constraint cards_migrating check (status_reason_code not in ('AT', 'ST')
    or (frozen_settings is not null and migration_started is not null
      and migration_ends is not null)),
  constraint cards_provisioning_blocked check (status_reason_code <> 'P0'
    or provisioning_blocked_until is not null)
);
-- A card is replaced at most once (D-36).
create unique index cards_replacing on cards (tenant_id, reference_card_id)
  where reference_card_id is not null;
-- For the list of cards, alone and by each of its filters.
create index cards_newest on cards (tenant_id, created, id);
create index cards_of_user on cards (tenant_id, user_id, created, id) where user_id is not null;
create index cards_of_product on cards (tenant_id, card_product_id, created, id);
create index cards_by_last_four on cards (tenant_id, last_four, created, id);
create index cards_of_bulk on cards (tenant_id, bulk_issuance_id, created, id)
  where bulk_issuance_id is not null;
create index cards_of_account on cards (tenant_id, account_id) where account_id is not null;
create index cards_of_chain on cards (tenant_id, chain_id);
-- For the progress of a bulk issuance: one look for each fulfillment status.
create index cards_of_bulk_by_fulfillment
  on cards (tenant_id, bulk_issuance_id, fulfillment_status) where bulk_issuance_id is not null;
-- For the sweeps that terminate expired cards, send cards to the embosser, and end blocks.
create index cards_expiring on cards (tenant_id, valid_until) where status <> 'TERMINATED';
create index cards_to_emboss on cards (tenant_id, emboss_due) where emboss_due is not null;
create index cards_blocked on cards (tenant_id, provisioning_blocked_until)
  where status_reason_code = 'P0';

-- How often card details were shown to a tenant in its last hour that had any (D-1003).
create table card_details_shown (
  tenant_id uuid primary key,
  hour timestamptz not null,
  shown integer not null check (shown > 0),
  -- Whether more were asked for, of which an event tells once an hour.
  limited boolean not null default false
);
