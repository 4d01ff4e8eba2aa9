-- Orders (D-84) with their captures and refunds.

-- An order begins with an authorization. Amounts that the merchant wrote (total …) are in
-- ten-thousandths of a major unit; what moved on the card is in minor units.
create table orders (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The 0100 of the payment, in acquirer_messages.
  authorization_id uuid not null,
  reference text not null,
  display_reference text not null,
  description text not null,
  order_number text not null,
  status text not null check (status in ('OPENED', 'COMPLETED')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- As the merchant wrote them.
  total bigint not null,
  tax_amount bigint,
  shipping_amount bigint,
  discount bigint,
  total_captured bigint not null default 0,
  total_refund bigint not null default 0,
  -- customer, billing_address, shipping_address and lines.
  details jsonb not null,
  -- On the card.
  authorized bigint not null,
  captured bigint not null default 0,
  refunded bigint not null default 0,
  capture_expiration timestamptz not null,
  -- What happens then: the merchant's policy at the time of the payment.
  deadline_policy text not null check (deadline_policy in ('void', 'capture')),
  -- Whether captures may leave the rest in force: the merchant's setting at the time of the payment.
  partial_captures boolean not null default false,
  -- The hold was released: there is nothing left to capture.
  released boolean not null default false,
  -- How many of the reminders before the deadline were sent.
  reminders integer not null default 0,
  -- The next reminder or the deadline; null once nothing more is captured.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint orders_captured check (captured between 0 and authorized),
  constraint orders_refunded
    check (refunded between 0 and captured and (refunded = 0 or status = 'COMPLETED')),
  constraint orders_totals
    check (total_captured between 0 and total and total_refund between 0 and total_captured),
  constraint orders_completed check (case status when 'COMPLETED' then captured > 0
    else captured = 0 or (partial_captures and captured < authorized) end),
  constraint orders_due_open check (due is null or (status = 'OPENED' and not released))
);
create unique index orders_by_reference on orders (tenant_id, merchant_id, reference);
create unique index orders_by_number on orders (tenant_id, merchant_id, order_number);
-- For the list of a merchant's orders; most are COMPLETED, so the list of those needs no index of its
-- own.
create index orders_of_merchant on orders (tenant_id, merchant_id, created, id);
create index orders_opened on orders (tenant_id, merchant_id, created, id)
  where status = 'OPENED';
-- For the same list of those with refunds, of one customer, and by total.
create index orders_with_refunds on orders (tenant_id, merchant_id, created, id)
  where refunded > 0;
create index orders_of_customer on orders (tenant_id, merchant_id,
  lower(details #>> '{customer,email}'), created, id);
create index orders_by_total on orders (tenant_id, merchant_id, currency, total);
-- For the sweep of reminders and deadlines.
create index orders_due on orders (tenant_id, due) where due is not null;
-- For the reconciliation: the order of a payment.
create index orders_of_authorization on orders (tenant_id, authorization_id);

-- Captures and refunds.
create table order_operations (
  tenant_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  -- Those of its order, for the merchant's lists.
  merchant_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  type text not null check (type in ('CAPTURE', 'REFUND')),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILURE')),
  -- In ten-thousandths of a major unit, and in minor units.
  total bigint not null check (total > 0),
  amount bigint not null check (amount > 0),
  -- What the merchant pays for it if it succeeds, by the fees of the time of its request.
  fee bigint not null check (fee >= 0),
  -- When it succeeded. It counts in the statement of that day, and is paid out from the end of it.
  booked timestamptz,
  payable timestamptz,
  payout_id uuid,
  -- Its message to the issuer, and the name of that; null is the default one (D-761).
  message_id uuid not null,
  issuer text,
  -- The last capture of its order: what it leaves is released. False for refunds.
  final boolean not null,
  -- The capture of the policy `capture`, which no request made.
  at_deadline boolean not null,
  idempotency_key text,
  fingerprint bytea,
  -- It was sent and its outcome is not known. Without `due` its reversal decides (D-131).
  in_doubt boolean not null default false,
  -- The process that began it has until then; afterwards the sweep resolves it.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references orders (tenant_id, id),
  constraint order_operations_booked check ((status = 'SUCCESS') = (booked is not null)),
  -- Each that succeeded waits for a payout, or is in one.
  constraint order_operations_paid_out
    check (num_nonnulls(payable, payout_id) = (booked is not null)::int),
  constraint order_operations_final check (type = 'CAPTURE' or not final),
  constraint order_operations_due_pending check (due is null or status = 'PENDING'),
  constraint order_operations_driven check (status <> 'PENDING' or in_doubt or due is not null)
);
-- An order has at most one operation under way, and at most one last capture.
create unique index order_operations_pending on order_operations (tenant_id, order_id)
  where status = 'PENDING';
create unique index order_operations_capture on order_operations (tenant_id, order_id)
  where type = 'CAPTURE' and status = 'SUCCESS' and final;
-- For the operations of an order.
create index order_operations_of_order on order_operations (tenant_id, order_id, created, id);
-- For the lists of a merchant's captures and refunds; most are SUCCESS.
create index order_operations_of_merchant
  on order_operations (tenant_id, merchant_id, type, created, id);
create index order_operations_unsuccessful
  on order_operations (tenant_id, merchant_id, type, created, id) where status <> 'SUCCESS';
-- For the merchant's statement.
create index order_operations_booked on order_operations (tenant_id, merchant_id, booked)
  where booked is not null;
-- For the sweep of payouts, and for the parts of one.
create index order_operations_payable
  on order_operations (tenant_id, payable, merchant_id, currency) where payable is not null;
create index order_operations_of_payout on order_operations (tenant_id, payout_id, type, created, id)
  where payout_id is not null;
-- For the repeats of a request, and the outcome of a message.
create index order_operations_of_key on order_operations (tenant_id, idempotency_key)
  where idempotency_key is not null;
create index order_operations_of_message on order_operations (tenant_id, message_id)
  where status = 'PENDING';
-- For the sweep that resolves interrupted operations.
create index order_operations_due on order_operations (tenant_id, due) where due is not null;
create index order_operations_due_elsewhere on order_operations (tenant_id, issuer, due)
  where due is not null and issuer is not null;
-- For the reconciliation: the operations of a day.
create index order_operations_of_day on order_operations (tenant_id, created, id);
