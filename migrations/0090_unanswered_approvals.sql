-- Approvals that took effect but whose answer the card network never got: each is reversed by the
-- program itself (D-301). The row goes in the transaction of the reversal.
create table unanswered_approvals (
  tenant_id uuid not null,
  -- The duplicate key of the request: a transaction that was raised has several.
  message_key text collate "C" not null,
  transaction_id uuid not null,
  processing_code text not null,
  -- What this request was approved for, minor units of the transaction's currency.
  amount bigint not null,
  tries integer not null default 0,
  due timestamptz not null,
  created timestamptz not null,
  primary key (tenant_id, message_key)
);
create index unanswered_approvals_due on unanswered_approvals (tenant_id, due);

-- The requests of a transaction, whose answers change when it is reversed (D-302).
create index network_messages_of_transaction on network_messages (tenant_id, transaction_id)
  where mti in ('0100', '0200');
