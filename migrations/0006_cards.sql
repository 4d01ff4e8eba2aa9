-- Cards (D-30). The number lies in the vault.
create table cards (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid,
  card_product_id uuid not null,
  account_id uuid,
  card_type text not null check (card_type in ('VIRTUAL', 'PHYSICAL')),
  status text not null check (status in ('INACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  status_reason_code text not null,
  name_on_card text,
  bin text not null,
  last_four text not null,
  -- YYYY-MM: the card is good to the end of that month.
  expiry_date text not null check (expiry_date ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  reference_card_id uuid,
  replaced_by_card_id uuid,
  bulk_issuance_id uuid,
  fulfillment_status text
    check (fulfillment_status in ('CREATED', 'ORDERED', 'SHIPPED', 'DELIVERED', 'FAILED')),
  shipping_details jsonb,
  delivery_method text check (delivery_method in ('COURIER', 'MAIL', 'PICKUP')),
  auth_settings jsonb not null,
  allowed_countries_id uuid,
  allowed_mccs_id uuid,
  allowed_merchants_id uuid,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, card_product_id) references card_products (tenant_id, id),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id)
);
create index cards_newest on cards (tenant_id, created, id);
create index cards_of_user on cards (tenant_id, user_id, created, id) where user_id is not null;
create index cards_of_account on cards (tenant_id, account_id) where account_id is not null;
create index cards_of_product on cards (tenant_id, card_product_id, created, id);
create index cards_of_bulk on cards (tenant_id, bulk_issuance_id, created, id)
  where bulk_issuance_id is not null;
create index cards_by_last_four on cards (tenant_id, last_four, created, id);
-- A card is replaced once (D-36).
create unique index cards_replacing on cards (tenant_id, reference_card_id)
  where reference_card_id is not null;
