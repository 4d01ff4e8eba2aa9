-- What has been counted of decisions (D-610).

-- The decisions of a quarter of an hour that has ended: their number never changes, so it is counted
-- once, when it is first asked for.
create table decision_counts (
  tenant_id uuid not null,
  -- The beginning of the quarter, by the tenant's clock.
  quarter timestamptz not null check (extract(epoch from quarter) % 900 = 0),
  approved integer not null check (approved >= 0),
  declined integer not null check (declined >= 0),
  -- What was approved, by currency: minor units as text.
  amounts json not null,
  -- The number of declined ones by their status code.
  codes json not null,
  primary key (tenant_id, quarter)
);
