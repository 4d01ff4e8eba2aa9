-- Rates of exchange (D-51). Reference table: small, and a rate may be of every tenant.

create table rates (
  id uuid primary key,
  -- Null: of every tenant that has no own rate of the two currencies (D-455).
  tenant_id uuid references tenants (id),
  from_currency text not null check (from_currency ~ '^[A-Z]{3}$'),
  to_currency text not null check (to_currency ~ '^[A-Z]{3}$'),
  -- Major units of to_currency that one major unit of from_currency is worth, as it was sent.
  rate text not null check (rate ~ '^(0|[1-9][0-9]{0,11})([.][0-9]{1,12})?$' and rate ~ '[1-9]'),
  created timestamptz not null,
  -- When another rate took its place; null while it is in force. Rows are never deleted.
  replaced timestamptz,
  check (from_currency <> to_currency)
);
-- One rate is in force, and decisions find it by its currencies.
create unique index rates_in_force on rates (from_currency, to_currency, tenant_id)
  nulls not distinct where replaced is null;
-- Those without a tenant are for all tenants to read (kit/db/security/row_security.ts).
create policy rows_of_all on rates for select using (tenant_id is null);
-- For the list.
create index rates_by_time on rates (created, id);
