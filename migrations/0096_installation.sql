-- Whether this database belongs to a sandbox or to a live platform. Written once, at the first start,
-- before anything else is made in it (D-330).
create table installation (
  -- One row at most.
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'live')),
  recorded timestamptz not null default now()
);
