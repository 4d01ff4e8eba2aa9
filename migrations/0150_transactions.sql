-- Card transactions (D-46), approved and declined.

-- One row is all that a decision writes of a transaction: what is held for it, and the message that
-- made it, are in the row. No foreign keys: rows are written in batches, and a declined transaction
-- may name no card. Partitioned by month (D-398), each partition with a unique index on tenant_id
-- and message_key.
create table transactions (
  tenant_id uuid not null,
  id uuid not null,
  -- Null where the number is of no known card, or the card has no account.
  card_id uuid,
  account_id uuid,
  -- Words as one array, as in accounts (D-858).
  transaction_type text not null check (transaction_type = any ('{PURCHASE,WITHDRAWAL,CASH_BACK,
    ACCOUNT_FUNDING,QUASI_CASH,CASH_DISBURSEMENT,REFUND,DEPOSIT,LOAD,UNLOAD,ORIGINAL_CREDIT,PAYMENT,
    BALANCE_INQUIRY,VERIFICATION,TRANSFER,UNKNOWN}')),
  -- PENDING: funds are held. SETTLED: nothing is held any more. VOIDED: reversed in full. EXPIRED:
  -- the hold ended before a clearing.
  status text not null check (status = any ('{PENDING,SETTLED,VOIDED,EXPIRED,DECLINED}')),
  -- 0000 is an approval.
  status_code text not null check (length(status_code) = 4),
  -- Authorized amount: raised by increments, lowered by reversals.
  amount bigint not null check (amount >= 0),
  -- XXX where the message names none that can be held (D-120). The engine also records a message
  -- whose currency is a number, as a declined one.
  currency text not null check (length(currency) = 3
    and '' in (translate(currency, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', ''),
      translate(currency, '0123456789', ''))),
  -- What of the account's balance is held for it, and until when. The account's `held` is the sum.
  held bigint not null default 0,
  hold_expires timestamptz,
  -- What was posted, and what of it was refunded, in the account's currency.
  cleared_amount bigint not null default 0,
  refunded_amount bigint not null default 0,
  -- DE37.
  rrn text,
  -- The message that made it: `class|DE11|DE7|DE32|DE37`. A repeat gets the same response (D-109).
  -- Null where no message of the card network made it.
  message_key text collate "C",
  -- The message was a request, and what it did was reversed: its repeats are declined (D-302).
  withdrawn boolean not null default false,
  -- Counts its changes, from 1. An update names the count that it was decided on.
  sequence integer not null check (sequence > 0),
  created timestamptz not null,
  -- What no query searches for: holder, amounts in the account's currency, merchant, terminal,
  -- history, the checks of its decision (D-45), and what a repeat is answered.
  details json not null,
  primary key (tenant_id, id),
  constraint transactions_held check ((status = 'PENDING') = (hold_expires is not null)
    and held >= 0 and (held = 0 or status = 'PENDING')),
  -- Money is posted only for a transaction that is open or settled. VOIDED gave all of it back.
  constraint transactions_cleared check (cleared_amount >= 0
    and (cleared_amount = 0 or status = any ('{PENDING,SETTLED}'))),
  constraint transactions_refunded check (refunded_amount between 0 and cleared_amount)
) partition by range (id);
-- For the lists. Those of an account and of a user are the lists of their cards, merged.
create index transactions_of_card on transactions (tenant_id, card_id, id)
  where card_id is not null;
-- For a message that names its original by the card and the retrieval reference (DE37). One value,
-- so that a merchant who sends the same reference for every card slows nobody down.
create index transactions_by_rrn
  on transactions (tenant_id, rrn collate "C", card_id, id)
  where rrn is not null and card_id is not null;
-- For the sweep that ends holds.
create index transactions_due on transactions (tenant_id, hold_expires) where held > 0;

-- Everything that accounts hold, in their currency: for card transactions, and for bulk issuances.
create view open_holds as
  select tenant_id, id, account_id, currency, amount from holds where amount > 0
  union all
  select tenant_id, id, account_id, coalesce(details ->> 'billing_currency', currency), held
  from transactions where held > 0;
