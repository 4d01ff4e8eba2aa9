-- Backtests: proposed settings, lists and limits over stored decisions (D-482 to D-484).

create table backtests (
  tenant_id uuid not null,
  id uuid not null,
  status text not null check (status in ('RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED')),
  -- A running one has one of the places of its tenant.
  place smallint check (place between 1 and 5),
  -- Decisions from `starts` until before `ends` are decided again; those from `counts_from` on
  -- count against velocity limits.
  starts timestamptz not null,
  ends timestamptz not null,
  counts_from timestamptz not null,
  -- Whose decisions; null for all of the tenant.
  owner text check (owner in ('cardproducts', 'cards', 'accounts', 'users')),
  owner_id uuid,
  -- What the client proposes, as it was sent.
  proposal json not null,
  -- The same as the rules use it, with the settings of the tenant at the creation.
  plan json not null,
  -- Transactions up to this id are done, and how many were read.
  after_id uuid not null,
  read bigint not null default 0,
  -- The time of the last decision that was read.
  reached timestamptz not null,
  result json not null,
  failures integer not null default 0,
  error text,
  -- When the job has something to do: the next portion, the removal of what it kept, its own end.
  due timestamptz not null,
  completed timestamptz,
  expires timestamptz not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  check ((place is not null) = (status = 'RUNNING')),
  check ((owner is null) = (owner_id is null)),
  check (counts_from <= starts and starts < ends)
);
create unique index backtests_place on backtests (tenant_id, place) where place is not null;
-- For the list, newest first.
create index backtests_newest on backtests (tenant_id, created, id);
-- For the sweep.
create index backtests_due on backtests (tenant_id, due);

-- What counts against the proposed velocity limits, each holder's in one row, in the form of
-- accounts.counters.
create table backtest_counters (
  tenant_id uuid not null,
  backtest_id uuid not null,
  holder_id uuid not null,
  counters json not null,
  primary key (tenant_id, backtest_id, holder_id)
);

-- Transactions with an event after those that were replayed.
create table backtest_open (
  tenant_id uuid not null,
  backtest_id uuid not null,
  transaction_id uuid not null,
  -- The time and the number of that event.
  due timestamptz not null,
  sequence integer not null check (sequence > 1),
  -- What of it counts in the replay.
  state json not null,
  primary key (tenant_id, backtest_id, transaction_id)
);
-- For the events of a portion, in their order.
create index backtest_open_due on backtest_open (tenant_id, backtest_id, due, transaction_id);
