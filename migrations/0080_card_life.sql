-- What a card goes through after it was issued (D-31, D-32, D-36 to D-39).
alter table cards
  -- The first card of a chain of replacements: limits count over the whole chain.
  add column chain_id uuid,
  -- The end of its last month, for the sweep that terminates it.
  add column valid_until timestamptz,
  -- Migration to plastic: the settings of card and product as they stood when it began hold until
  -- it ends; after `migration_ends` the virtual card gets no authorization any more.
  add column migration_started timestamptz,
  add column migration_ends timestamptz,
  add column frozen_settings jsonb,
  -- When plastic that is CREATED goes to the embosser.
  add column emboss_due timestamptz,
  add column delivery_partner text,
  add column tracking_number text,
  -- Wrong CVV2s and expiry dates at provisioning in a row (D-39).
  add column provisioning_failures integer not null default 0 check (provisioning_failures >= 0),
  add column provisioning_blocked_until timestamptz;

with recursive chain as (
  select tenant_id, id, id as chain_id from cards where reference_card_id is null
  union all
  select c.tenant_id, c.id, chain.chain_id from cards c
  join chain on chain.tenant_id = c.tenant_id and chain.id = c.reference_card_id)
update cards set chain_id = chain.chain_id,
  valid_until = (((expiry_date || '-01')::date + interval '1 month') at time zone 'UTC')
    - interval '1 millisecond'
from chain where chain.tenant_id = cards.tenant_id and chain.id = cards.id;

alter table cards
  alter column chain_id set not null,
  alter column valid_until set not null,
  add constraint cards_migrating check (status_reason_code not in ('AT', 'ST')
    or (frozen_settings is not null and migration_started is not null
      and migration_ends is not null)),
  add constraint cards_provisioning_blocked check (status_reason_code <> 'P0'
    or provisioning_blocked_until is not null);
create index cards_of_chain on cards (tenant_id, chain_id);
create index cards_expiring on cards (tenant_id, valid_until) where status <> 'TERMINATED';
create index cards_to_emboss on cards (tenant_id, emboss_due) where emboss_due is not null;
create index cards_blocked on cards (tenant_id, provisioning_blocked_until)
  where status_reason_code = 'P0';

-- A PIN is kept as its verification value only, sealed (D-37). `failures` are wrong PINs in a row.
create table vault.pins (
  tenant_id uuid not null,
  card_id uuid not null,
  sealed bytea not null,
  failures integer not null default 0 check (failures >= 0),
  modified timestamptz not null,
  primary key (tenant_id, card_id)
);

-- The numbers of wallet tokens come from ranges of their own (D-39).
alter table vault.ranges
  add column kind text not null default 'CARD' check (kind in ('CARD', 'TOKEN')),
  drop constraint ranges_pkey,
  add primary key (tenant_id, card_product_id, kind);
-- Where the row is the number of a token, `card_id` is the token's id and this its card.
alter table vault.pans add column token_of uuid;
alter table card_products add column token_bin text;
