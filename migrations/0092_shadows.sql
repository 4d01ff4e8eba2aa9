-- What lists and limits in SHADOW would have declined (D-481).

-- One row for what a batch of decisions found of one list or limit under one code: rows are only
-- added, so that no two batches wait for each other. Partitioned by month, by the time of the id.
create table shadow_counts (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null
    check (kind in ('countries', 'mccs', 'merchants', 'BALANCE', 'VELOCITY')),
  -- The list or the limit.
  control_id uuid not null,
  -- The day of the decisions in the tenant's time zone.
  day date not null,
  status_code text not null check (length(status_code) = 4),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Whether the transactions were approved all the same, or another check declined them.
  approved boolean not null,
  number integer not null check (number > 0),
  -- Minor units of the currency.
  amount numeric(30) not null check (amount >= 0),
  -- The newest of them.
  transaction_ids uuid[] not null,
  primary key (tenant_id, id)
) partition by range (id);
-- For the report of one list or limit.
create index shadow_counts_of_control on shadow_counts (tenant_id, kind, control_id, day, id);
