-- What a repeat must have in common with the first message of its key: a keyed digest of card,
-- amount, currency and processing code, from which nothing can be read back. Null for messages of
-- before and for reversals that wait for their original.
alter table network_messages add column fingerprint bytea;

-- The most that credits without a purchase may be: one, and those of one card in a day, in minor
-- units of the product's currency. Null: any in sandbox, none in live.
alter table card_products
  add column unlinked_credit_max_amount bigint check (unlinked_credit_max_amount >= 0),
  add column unlinked_credit_max_daily_amount bigint check (unlinked_credit_max_daily_amount >= 0);

-- How much came to a card without a purchase on a day of the tenant's time zone, in minor units.
create table unlinked_credits (
  tenant_id uuid not null,
  card_id uuid not null,
  day date not null,
  amount bigint not null,
  primary key (tenant_id, card_id, day)
);
