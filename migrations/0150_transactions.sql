-- Card transactions (D-46), approved and declined.

-- No foreign keys: rows are written in batches under the account's lock, and a declined transaction
-- may name no card.
create table transactions (
  tenant_id uuid not null,
  id uuid not null,
  -- Null where the number is of no known card, or the card has no account or user.
  card_id uuid,
  account_id uuid,
  user_id uuid,
  -- ISO 8583 type of the first message.
  message_type text not null,
  transaction_type text not null,
  -- PENDING: funds are held. SETTLED: nothing is held any more. VOIDED: reversed in full. EXPIRED:
  -- the hold ended before a clearing.
  status text not null check (status in ('PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED')),
  -- Four digits; 0000 is an approval.
  status_code text not null,
  -- Authorized amount: raised by increments, lowered by reversals.
  amount bigint not null,
  -- XXX where the message names none that can be held (D-120).
  currency text not null,
  -- The same in the account's currency; null where there is no rate (D-51).
  billing_amount bigint,
  billing_currency text,
  -- What was posted, and what of it was refunded, in the billing currency.
  cleared_amount bigint not null default 0,
  refunded_amount bigint not null default 0,
  hold_expires timestamptz,
  -- DE38, DE37 and DE11.
  approval_code text,
  rrn text,
  stan text,
  -- The transaction that this one refers to, for example the purchase of a refund.
  reference_transaction_id uuid,
  merchant json not null,
  pos json not null,
  -- The changes of the transaction, oldest first; as many as it has emitted events.
  events json not null,
  -- Each check in order: its name, its detail, and the code where it declined (D-45).
  trace json not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 90);
-- For the lists. Those of an account and of a user are the lists of their cards, merged.
create index transactions_of_card on transactions (tenant_id, card_id, id)
  where card_id is not null;
-- For a completion or reversal, which names its original by the retrieval reference (DE37).
create index transactions_by_rrn on transactions (tenant_id, rrn) where rrn is not null;
