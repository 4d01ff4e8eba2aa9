-- Card transactions (D-46), approved and declined alike. Amounts are minor units of the currency
-- that stands beside them. No foreign keys: rows are written in batches under the account's lock,
-- and a declined one may name no card.
create table transactions (
  tenant_id uuid not null,
  id uuid not null,
  card_id uuid,
  account_id uuid,
  user_id uuid,
  message_type text not null,
  transaction_type text not null,
  status text not null check (status in ('PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED')),
  status_code text not null,
  amount bigint not null,
  currency text not null,
  billing_amount bigint,
  billing_currency text,
  cleared_amount bigint not null default 0,
  refunded_amount bigint not null default 0,
  hold_expires timestamptz,
  approval_code text,
  rrn text,
  stan text,
  reference_transaction_id uuid,
  merchant json not null,
  pos json not null,
  -- What happened to it, oldest first; its length is the number of events it has emitted.
  events json not null,
  -- Each check in order: what it saw, its verdict, the code (D-45).
  trace json not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 90);
-- The lists of an account and of a user are those of their cards, merged: one index serves them all.
create index transactions_of_card on transactions (tenant_id, card_id, id) where card_id is not null;
-- A completion or reversal names its original by the retrieval reference (DE37).
create index transactions_by_rrn on transactions (tenant_id, rrn) where rrn is not null;

-- Every message of the card network with the answer it got: a repeat gets the same answer (D-109).
-- The key is `class|DE11|DE7|DE32|DE37`; a reversal that came before its original stands under
-- `R|` and the original's key, so that the original is refused when it comes late.
create table network_messages (
  tenant_id uuid not null,
  key text collate "C" not null,
  mti text not null,
  transaction_id uuid,
  answer json not null,
  created timestamptz not null,
  primary key (tenant_id, key)
);
create index network_messages_by_age on network_messages (tenant_id, created);
