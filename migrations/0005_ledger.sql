-- The double-entry ledger. Amounts are minor units of the row's currency.
create table accounts (
  tenant_id uuid not null,
  id uuid not null,
  -- CARD and FUNDING keep their balance and are locked to move money. EXTERNAL (the bank),
  -- SETTLEMENT (the card network) and FEES would be a queue if they were: theirs is summed.
  kind text not null check (kind in ('CARD', 'FUNDING', 'EXTERNAL', 'SETTLEMENT', 'FEES')),
  currency text not null,
  status text not null check (status in ('ACTIVE', 'INACTIVE', 'SUSPENDED')),
  user_id uuid,
  card_product_id uuid,
  default_account boolean not null default false,
  balance bigint,
  held bigint not null default 0,
  -- How far below zero a posting that may not be refused (a clearing) has pushed it.
  floor bigint not null default 0,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint accounts_kept_or_summed check ((balance is null) = (kind in ('EXTERNAL', 'SETTLEMENT', 'FEES'))),
  constraint accounts_held check (held >= 0),
  constraint accounts_floor check (floor <= 0 and (floor = 0 or kind = 'CARD')),
  constraint accounts_funds check (balance - held >= floor)
) with (fillfactor = 80);
create unique index accounts_of_program on accounts (tenant_id, kind, currency) where kind <> 'CARD';
create index accounts_of_user on accounts (tenant_id, user_id, created, id) where user_id is not null;

-- Every movement: one balanced transfer. Never updated, never deleted.
create table transfers (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  debit_account_id uuid not null,
  credit_account_id uuid not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- The card transaction it posts, if it posts one.
  transaction_id uuid,
  notes text,
  created timestamptz not null,
  primary key (tenant_id, id),
  check (debit_account_id <> credit_account_id)
);
create index transfers_debiting on transfers (tenant_id, debit_account_id, created, id);
create index transfers_crediting on transfers (tenant_id, credit_account_id, created, id);

-- The two sides of each transfer, for sums and statements.
create view entries as
  select tenant_id, id as transfer_id, debit_account_id as account_id, currency, -amount as amount,
    kind, transaction_id, notes, created
  from transfers
  union all
  select tenant_id, id, credit_account_id, currency, amount, kind, transaction_id, notes, created
  from transfers;

-- A hold is a pending transfer: it is posted (in parts), released or expires. `amount` is what is
-- still held; the hold of a card transaction has that transaction's id.
create table holds (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  contra_account_id uuid not null,
  currency text not null,
  amount bigint not null check (amount >= 0),
  expires timestamptz not null,
  created timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 90);
create index holds_due on holds (tenant_id, expires) where amount > 0;
