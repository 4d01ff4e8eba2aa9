-- Cards that shops keep for their customers (D-770). The sealed number and expiry date of each are
-- in merchant_vault.cards, under its id.

create table merchant_kept_cards (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The shop's own name of its customer, from the checkout.
  customer text not null check (length(customer) between 1 and 100),
  -- By its first digits; null where they are of no known brand.
  brand text,
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  -- The last month in which it can be used: YYMM.
  expiry text not null check (expiry ~ '^[0-9]{4}$'),
  -- The sentence that the customer agreed to, by its language and version, and when.
  consent text not null,
  consented timestamptz not null,
  -- When a payment with it was last begun.
  used timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
);
-- For the payment page and for the list of a customer's cards.
create index merchant_kept_cards_of_customer
  on merchant_kept_cards (tenant_id, merchant_id, customer, created, id);
-- For the list of all cards of a merchant.
create index merchant_kept_cards_newest
  on merchant_kept_cards (tenant_id, merchant_id, created, id);
