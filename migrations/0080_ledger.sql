-- The double-entry ledger.

create table accounts (
  tenant_id uuid not null,
  id uuid not null,
  -- CARD and FUNDING store their balance, and their row is locked to move money. EXTERNAL (the
  -- bank), SETTLEMENT (the card network), FEES and FX (gains and losses of exchange) take part in
  -- most movements: a lock on them would let one pass at a time, so their balance is the sum of
  -- their entries.
  -- Words as one array: each statement that writes reads the text of all checks anew (D-858).
  kind text not null check (kind = any ('{CARD,FUNDING,EXTERNAL,SETTLEMENT,FEES,FX}')),
  -- Three letters. No regular expression: with each statement that writes, it would be made anew.
  currency text not null check (length(currency) = 3
    and translate(currency, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '') = ''),
  status text not null check (status = any ('{ACTIVE,INACTIVE,SUSPENDED}')),
  -- Null where the card is not assigned to a user yet.
  user_id uuid,
  card_product_id uuid,
  -- The first account of the user in its currency.
  default_account boolean not null default false,
  balance bigint,
  -- The sum of the open holds.
  held bigint not null default 0,
  -- How far below zero a posting that must not fail (a clearing) has taken it.
  floor bigint not null default 0,
  -- Limits that are linked to it (D-41, D-42).
  balance_limit_ids uuid[] not null default '{}',
  velocity_limit_ids uuid[] not null default '{}',
  -- What has counted against velocity limits on it and on the chains of its cards (0090_limits.sql):
  -- here, since what counts also moves or holds money. Null where nothing has counted.
  counters json,
  -- Raised by everything that a decision on its cards depends on: money, its status, its cards,
  -- their holder, PIN and tokens. A decision is written only on the version that it was made on.
  version bigint not null default 1,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint accounts_kept_or_summed
    check ((balance is null) = (kind = any ('{EXTERNAL,SETTLEMENT,FEES,FX}'))),
  constraint accounts_held check (held >= 0),
  constraint accounts_floor check (floor <= 0 and (floor = 0 or kind = 'CARD')),
  constraint accounts_funds check (balance - held >= floor)
) with (fillfactor = 80);
-- A program has one account of each other kind in each currency.
create unique index accounts_of_program on accounts (tenant_id, kind, currency)
  where kind <> 'CARD';
-- For the list of a user's accounts.
create index accounts_of_user on accounts (tenant_id, user_id, created, id)
  where user_id is not null;

-- Every movement of money. Never updated, never deleted.
create table transfers (
  tenant_id uuid not null,
  id uuid not null,
  -- What moved the money: a call (LOAD …), or the type of the card transaction that was posted at
  -- once. CLEARING posts what was held for one; FX_DIFFERENCE is what exchange gains or loses by it.
  -- CHARGE is a charge of the program, CHARGE_REVERSAL gives one back.
  kind text not null check (kind in ('LOAD', 'UNLOAD', 'TRANSFER', 'PROGRAM_FUNDING', 'CLEARING',
    'REVERSAL', 'FX_DIFFERENCE', 'PURCHASE', 'WITHDRAWAL', 'CASH_BACK', 'ACCOUNT_FUNDING',
    'QUASI_CASH', 'CASH_DISBURSEMENT', 'REFUND', 'DEPOSIT', 'ORIGINAL_CREDIT', 'PAYMENT',
    'CHARGE', 'CHARGE_REVERSAL')),
  debit_account_id uuid not null,
  credit_account_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  -- The card transaction that it posts; null where it posts none.
  transaction_id uuid,
  notes text,
  created timestamptz not null,
  primary key (tenant_id, id),
  check (debit_account_id <> credit_account_id)
);
-- For statements and sums of an account.
create index transfers_debiting on transfers (tenant_id, debit_account_id, created, id);
create index transfers_crediting on transfers (tenant_id, credit_account_id, created, id);

-- For the entries of a card transaction. An authorization that only holds funds has no transfer.
create index transfers_of_transaction on transfers (tenant_id, transaction_id, created, id)
  where transaction_id is not null;

-- The two sides of each transfer: a debit is negative.
create view entries as
  select tenant_id, id as transfer_id, debit_account_id as account_id, currency, -amount as amount,
    kind, transaction_id, notes, created
  from transfers
  union all
  select tenant_id, id, credit_account_id, currency, amount, kind, transaction_id, notes, created
  from transfers;

-- Money that is set aside for bulk issuances: a hold has the id of the request, and is posted in
-- parts. What is held for a card transaction is in its row.
create table holds (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- What is still held.
  amount bigint not null check (amount >= 0),
  created timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 90);
