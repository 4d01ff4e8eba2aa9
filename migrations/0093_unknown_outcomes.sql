-- Outcomes that are not known yet (D-131): a message stays open until its issuer has answered it, or
-- has acknowledged that it took it back.
alter table acquirer_messages
  -- The message that this 0420 takes back because its outcome is not known.
  add column reverses uuid,
  drop constraint acquirer_messages_status_check,
  -- REVERSING: a 0420 is under way. REVERSED: the issuer has acknowledged it.
  add constraint acquirer_messages_status_check check (status in
    ('PENDING', 'APPROVED', 'DECLINED', 'UNSENT', 'REVERSING', 'REVERSED'));

alter table order_operations
  -- It was sent and its outcome is not known. Without `due` its reversal decides.
  add column in_doubt boolean not null default false,
  drop constraint order_operations_due_pending,
  add constraint order_operations_due_pending check (due is null or status = 'PENDING'),
  add constraint order_operations_driven check (status <> 'PENDING' or in_doubt or due is not null);
create index order_operations_of_message on order_operations (tenant_id, message_id)
  where status = 'PENDING';

alter table checkouts
  -- The payment was sent and its outcome is not known: its reversal decides.
  add column in_doubt boolean not null default false,
  add constraint checkouts_in_doubt check (not in_doubt or status = 'PAYING'),
  drop constraint checkouts_due_open,
  add constraint checkouts_due_open check (
    (status = 'OPEN' or (status = 'PAYING' and not in_doubt)) = (due is not null));
create index checkouts_of_message on checkouts (tenant_id, message_id) where message_id is not null;
-- At most one payment of a reference, and the way from an ended page to the one that was paid.
create unique index checkouts_paid on checkouts (tenant_id, merchant_id, reference)
  where status = 'PAID';
-- What is under way of a payment, for the comparison of an order with its issuer.
create index acquirer_messages_under_way on acquirer_messages (tenant_id, authorization_id)
  where status in ('PENDING', 'REVERSING');
