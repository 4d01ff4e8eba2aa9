-- Balance and velocity limits (D-41, D-42).

create table limits (
  tenant_id uuid not null,
  id uuid not null,
  -- Names the limit in counters and in what has counted of transactions: a third of their bytes.
  -- Drawn from a counter of the tenant.
  short_id bigint not null,
  kind text not null check (kind in ('BALANCE', 'VELOCITY')),
  description text,
  type text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units of the currency.
  min_amount bigint check (min_amount >= 0),
  max_amount bigint check (max_amount >= 0),
  frequency integer check (frequency > 0),
  period text check (period in ('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'LIFETIME')),
  -- Of a velocity limit.
  transaction_scope text[],
  -- A limit in SHADOW declines nothing; what it would decline is counted (D-480).
  mode text not null check (mode in ('ENFORCED', 'SHADOW')),
  -- Raised by every change. A decision is written only on the version that it was made on.
  version bigint not null default 1,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, short_id),
  constraint limits_type check (type in ('PER_ACCOUNT', 'PER_USER') and kind = 'BALANCE'
    or type in ('PER_TRANSACTION', 'CUMULATIVE') and kind = 'VELOCITY'),
  constraint limits_amount check (min_amount is not null or max_amount is not null),
  constraint limits_scope check ((transaction_scope is null) = (kind = 'BALANCE'))
);
-- For the lists of each kind.
create index limits_newest on limits (tenant_id, kind, created, id);

-- What counts of the chains of an account's cards for which its row has no room (D-943). It is read
-- and written on the version of the account.
create table chain_counters (
  tenant_id uuid not null,
  account_id uuid not null,
  chain_id uuid not null,
  -- By l and the limit's short id, as in the other counters.
  counters json not null,
  primary key (tenant_id, account_id, chain_id)
) with (fillfactor = 70);

-- What counts against the velocity limits of users. What counts on an account is in its own row, in
-- the same form. A row is also changed by every decision on the sum of the user's accounts, so that
-- two of them never pass each other.
create table user_counters (
  tenant_id uuid not null,
  user_id uuid not null,
  -- By chain of cards (none for all of the holder's) and l with the limit's short id, one text:
  -- amount in minor units, number and window.
  counters json not null,
  -- Raised by every change. A change names the version that it was decided on.
  version bigint not null,
  primary key (tenant_id, user_id)
) with (fillfactor = 70);
