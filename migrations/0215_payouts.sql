-- Payouts (D-735 to D-738): what a merchant gets of its captures, refunds and fees of a day.

create table payouts (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Counted from 1 for the merchant and the currency, so that two cannot carry the same balance.
  number bigint not null check (number > 0),
  -- The day of its parts, in UTC.
  day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- CARRIED: there is nothing to pay, and the next payout takes what is below zero over.
  status text not null check (status in ('PENDING', 'PAID', 'FAILED', 'CARRIED')),
  -- Minor units; the sums of its parts.
  captures integer not null check (captures >= 0),
  captured bigint not null check (captured >= 0),
  refunds integer not null check (refunds >= 0),
  refunded bigint not null check (refunded >= 0),
  fees bigint not null check (fees >= 0),
  -- What the payout before it has left, zero or below.
  carried bigint not null check (carried <= 0),
  amount bigint not null,
  -- The operator's name of the transfer, or why it failed.
  reference text,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint payouts_amount check (amount = captured - refunded - fees + carried),
  constraint payouts_carried check ((status = 'CARRIED') = (amount <= 0)),
  constraint payouts_reference check ((status in ('PAID', 'FAILED')) = (reference is not null))
);
create unique index payouts_by_number on payouts (tenant_id, merchant_id, currency, number);
-- For the merchant's list, and for what it is still owed.
create index payouts_of_merchant on payouts (tenant_id, merchant_id, created, id);
create index payouts_unpaid on payouts (tenant_id, merchant_id, currency)
  where status in ('PENDING', 'FAILED');
-- For the lists of the operator, and for the one that it names.
create index payouts_newest on payouts (created, id);
create index payouts_newest_unpaid on payouts (created, id) where status in ('PENDING', 'FAILED');
create index payouts_by_id on payouts (id);

alter table order_operations add constraint order_operations_payout
  foreign key (tenant_id, payout_id) references payouts (tenant_id, id);
