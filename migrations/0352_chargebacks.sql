-- migrate:needs-program 0260
-- Chargebacks, the merchant's side of disputes (D-1065): what the card network took back of an order.

create table chargebacks (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  order_id uuid not null,
  -- The reference of the order, for lists.
  reference text not null,
  status text not null check (status in ('NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST',
    'ACCEPTED', 'WITHDRAWN')),
  reason text not null,
  reason_code text,
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  fee bigint not null check (fee >= 0),
  -- Texts by their names.
  evidence jsonb not null,
  -- Until when the merchant may answer; null once it has, or cannot any more.
  respond_by timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references orders (tenant_id, id),
  check ((status = 'NEEDS_RESPONSE') = (respond_by is not null))
);
-- For the merchant's list, the disputes of an order, the sweep, and the one that the operator names.
create index chargebacks_of_merchant on chargebacks (tenant_id, merchant_id, created, id);
create index chargebacks_of_order on chargebacks (tenant_id, order_id);
create index chargebacks_due on chargebacks (tenant_id, respond_by) where respond_by is not null;
create index chargebacks_by_id on chargebacks (id);

-- What a chargeback takes from the merchant, and gives back: parts of payouts.
create table chargeback_entries (
  tenant_id uuid not null,
  id uuid not null,
  chargeback_id uuid not null,
  merchant_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  type text not null check (type in ('CHARGEBACK', 'CHARGEBACK_REVERSAL')),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  booked timestamptz not null,
  payable timestamptz,
  payout_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, chargeback_id) references chargebacks (tenant_id, id),
  foreign key (tenant_id, payout_id) references payouts (tenant_id, id),
  check (num_nonnulls(payable, payout_id) = 1)
);
create unique index chargeback_entries_once on chargeback_entries (tenant_id, chargeback_id, type);
create index chargeback_entries_payable on chargeback_entries (tenant_id, payable)
  where payable is not null;
create index chargeback_entries_booked on chargeback_entries (tenant_id, merchant_id, booked);
create index chargeback_entries_of_payout on chargeback_entries (tenant_id, payout_id)
  where payout_id is not null;

-- The number of the chargebacks of a payout, and their sum less what was given back.
alter table payouts
  add column chargebacks integer not null default 0,
  add column charged_back bigint not null default 0,
  drop constraint payouts_amount,
  add constraint payouts_amount
    check (amount = captured - refunded - charged_back - fees + carried) not valid;
