-- Bulk issuance (D-38): one request, many cards that belong to nobody yet.
create table bulk_issuances (
  tenant_id uuid not null,
  id uuid not null,
  status text not null
    check (status in ('DRAFT', 'SUBMITTED', 'PROCESSING', 'COMPLETED', 'FAILED')),
  card_product_id uuid not null,
  number_of_cards integer not null check (number_of_cards between 1 and 5000),
  -- Preloaded on each card, minor units of the currency.
  amount bigint check (amount > 0),
  currency text not null,
  name_on_card text,
  issued_cards integer not null default 0,
  failed_cards integer not null default 0,
  -- Numbers of the range that belong to this request, taken when it began.
  first_number bigint,
  error jsonb,
  -- When the job has something to do; absent while a DRAFT and when it is over.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, card_product_id) references card_products (tenant_id, id),
  check (issued_cards >= 0 and failed_cards >= 0
    and issued_cards + failed_cards <= number_of_cards)
);
create index bulk_issuances_newest on bulk_issuances (tenant_id, created, id);
create index bulk_issuances_due on bulk_issuances (tenant_id, due) where due is not null;
