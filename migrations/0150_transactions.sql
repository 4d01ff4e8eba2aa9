-- Card transactions (D-46), approved and declined.

-- No foreign keys: rows are written in batches under the account's lock, and a declined transaction
-- may name no card. Partitioned by month (D-398).
create table transactions (
  tenant_id uuid not null,
  id uuid not null,
  -- Null where the number is of no known card, or the card has no account or user.
  card_id uuid,
  account_id uuid,
  user_id uuid,
  -- ISO 8583 type of the first message.
  message_type text not null
    check (message_type in ('0100', '0120', '0200', '0220', '0400', '0420')),
  transaction_type text not null check (transaction_type in ('PURCHASE', 'WITHDRAWAL', 'CASH_BACK',
    'ACCOUNT_FUNDING', 'QUASI_CASH', 'CASH_DISBURSEMENT', 'REFUND', 'DEPOSIT', 'LOAD', 'UNLOAD',
    'ORIGINAL_CREDIT', 'PAYMENT', 'BALANCE_INQUIRY', 'VERIFICATION', 'TRANSFER', 'UNKNOWN')),
  -- PENDING: funds are held. SETTLED: nothing is held any more. VOIDED: reversed in full. EXPIRED:
  -- the hold ended before a clearing.
  status text not null check (status in ('PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED')),
  -- 0000 is an approval.
  status_code text not null check (status_code ~ '^[0-9]{4}$'),
  -- Authorized amount: raised by increments, lowered by reversals.
  amount bigint not null check (amount >= 0),
  -- XXX where the message names none that can be held (D-120). The engine also records a message
  -- whose currency is a number, as a declined one.
  currency text not null check (currency ~ '^([A-Z]{3}|[0-9]{3})$'),
  -- The same in the account's currency; null where there is no rate (D-51).
  billing_amount bigint check (billing_amount >= 0),
  billing_currency text check (billing_currency ~ '^[A-Z]{3}$'),
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
  primary key (tenant_id, id),
  constraint transactions_held check ((status = 'PENDING') = (hold_expires is not null)),
  -- Money is posted only for a transaction that is open or settled. VOIDED gave all of it back.
  constraint transactions_cleared check (cleared_amount >= 0
    and (cleared_amount = 0 or status in ('PENDING', 'SETTLED'))),
  constraint transactions_refunded check (refunded_amount between 0 and cleared_amount)
) partition by range (id);
-- For the lists. Those of an account and of a user are the lists of their cards, merged.
create index transactions_of_card on transactions (tenant_id, card_id, id)
  where card_id is not null;
-- For a completion or reversal, which names its original by the retrieval reference (DE37).
create index transactions_by_rrn on transactions (tenant_id, rrn) where rrn is not null;
