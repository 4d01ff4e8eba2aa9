-- Bulk issuance (D-38): one request for many cards that are not assigned to users yet.

create table bulk_issuances (
  tenant_id uuid not null,
  id uuid not null,
  status text not null
    check (status in ('DRAFT', 'SUBMITTED', 'PROCESSING', 'COMPLETED', 'FAILED')),
  card_product_id uuid not null,
  number_of_cards integer not null check (number_of_cards between 1 and 5000),
  -- Loaded on each card; null where the cards are issued empty.
  amount bigint check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  name_on_card text,
  issued_cards integer not null default 0,
  failed_cards integer not null default 0,
  -- What the first transaction of the request reserved: the place of its first number in the range,
  -- and the product's settings of that moment, so that all its cards are alike.
  first_number bigint,
  terms jsonb,
  -- Why it failed, as a problem of the API.
  error jsonb,
  -- When the next cards are issued.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, card_product_id) references card_products (tenant_id, id),
  check (issued_cards >= 0 and failed_cards >= 0
    and issued_cards + failed_cards <= number_of_cards),
  constraint bulk_issuances_begun check (status not in ('PROCESSING', 'COMPLETED')
    or (first_number is not null and terms is not null)),
  constraint bulk_issuances_due
    check ((due is not null) = (status in ('SUBMITTED', 'PROCESSING'))),
  constraint bulk_issuances_error check ((error is not null) = (status = 'FAILED')),
  constraint bulk_issuances_whole check (case status
    when 'COMPLETED' then issued_cards = number_of_cards
    when 'FAILED' then issued_cards = 0 and failed_cards = number_of_cards
    else failed_cards = 0 end)
);
-- For the list of requests, and for the sweep that issues the cards.
create index bulk_issuances_newest on bulk_issuances (tenant_id, created, id);
create index bulk_issuances_due on bulk_issuances (tenant_id, due) where due is not null;
