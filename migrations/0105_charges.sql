-- Charges of accounts: those of card products and single ones (D-475 to D-478).

create table charges (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- Null for a charge of the account itself.
  card_id uuid,
  -- The card transaction that it was taken for.
  transaction_id uuid,
  type text not null check (type in ('ISSUING', 'REPLACEMENT', 'CASH_WITHDRAWAL',
    'FOREIGN_CURRENCY', 'MONTHLY', 'OTHER')),
  -- PENDING: the account had too little, and it is tried again. REVERSED: taken and given back.
  -- CANCELED: never taken.
  status text not null check (status in ('APPLIED', 'PENDING', 'REVERSED', 'CANCELED')),
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  description text,
  -- The month of the card that it is for, counted from its issuing: each is charged once.
  month integer check (month > 0),
  -- When it is tried again, or given back.
  due timestamptz,
  -- Of the money that was taken.
  transfer_id uuid,
  applied timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  check ((status in ('APPLIED', 'REVERSED')) = (transfer_id is not null)),
  check ((type = 'MONTHLY' and card_id is not null and month is not null) or month is null)
);
create unique index charges_of_month on charges (tenant_id, card_id, month)
  where month is not null;
-- For the list of an account's charges.
create index charges_newest on charges (tenant_id, account_id, created, id);
create index charges_of_transaction on charges (tenant_id, transaction_id)
  where transaction_id is not null;
create index charges_due on charges (tenant_id, due) where due is not null;

-- The cards that are charged each month.
create table monthly_charges (
  tenant_id uuid not null,
  card_id uuid not null,
  -- The day of issuing in the tenant's time zone.
  issued text not null check (issued ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- The month that is charged next, counted from 1, and when.
  month integer not null check (month > 0),
  due timestamptz not null,
  -- When the card was terminated: months that are due later are not charged.
  ends timestamptz,
  primary key (tenant_id, card_id)
);
create index monthly_charges_due on monthly_charges (tenant_id, due);
