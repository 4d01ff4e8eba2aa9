-- Orders (D-84): each stands on an authorization. Amounts that the shop wrote are in
-- ten-thousandths of a major unit; what moved on the card is in minor units.
create table orders (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  authorization_id uuid not null,
  reference text not null,
  display_reference text not null,
  description text not null,
  order_number text not null,
  status text not null check (status in ('OPENED', 'COMPLETED')),
  currency text not null,
  total bigint not null,
  tax_amount bigint,
  shipping_amount bigint,
  discount bigint,
  -- customer, billing_address, shipping_address and lines.
  details jsonb not null,
  total_captured bigint not null default 0,
  total_refund bigint not null default 0,
  authorized bigint not null,
  captured bigint not null default 0,
  refunded bigint not null default 0,
  capture_expiration timestamptz not null,
  -- What happens then, as the merchant had set it when the payment was made.
  deadline_policy text not null check (deadline_policy in ('void', 'capture')),
  -- The hold was given back: there is nothing left to capture.
  released boolean not null default false,
  -- How many of the reminders before the deadline were sent.
  reminders integer not null default 0,
  -- The next reminder or the deadline itself; null once it is captured or released.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint orders_captured check (captured between 0 and authorized),
  constraint orders_refunded check (refunded between 0 and captured),
  constraint orders_totals
    check (total_captured between 0 and total and total_refund between 0 and total_captured),
  constraint orders_completed check ((status = 'COMPLETED') = (captured > 0)),
  constraint orders_due_open check (due is null or (status = 'OPENED' and not released))
);
create unique index orders_by_reference on orders (tenant_id, merchant_id, reference);
create unique index orders_by_number on orders (tenant_id, merchant_id, order_number);
create index orders_due on orders (tenant_id, due) where due is not null;

-- Captures and refunds. One at a time is under way on an order, and one capture succeeds.
create table order_operations (
  tenant_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  type text not null check (type in ('CAPTURE', 'REFUND')),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILURE')),
  total bigint not null check (total > 0),
  amount bigint not null check (amount > 0),
  message_id uuid not null,
  -- The capture that the policy `capture` makes, which no request asked for.
  at_deadline boolean not null,
  idempotency_key text,
  fingerprint bytea,
  -- Until then whoever began it is at work; afterwards anyone settles it.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references orders (tenant_id, id),
  constraint order_operations_due_pending check ((status = 'PENDING') = (due is not null))
);
create unique index order_operations_pending on order_operations (tenant_id, order_id)
  where status = 'PENDING';
create unique index order_operations_capture on order_operations (tenant_id, order_id)
  where type = 'CAPTURE' and status = 'SUCCESS';
create index order_operations_of_order on order_operations (tenant_id, order_id, created, id);
create index order_operations_of_key on order_operations (tenant_id, idempotency_key)
  where idempotency_key is not null;
create index order_operations_due on order_operations (tenant_id, due) where due is not null;
