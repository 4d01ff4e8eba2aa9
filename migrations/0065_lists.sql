-- Lists of countries, MCCs and merchants that products and cards name (D-34). Rows are never
-- deleted, so a name of one always holds.

create table allowed_lists (
  tenant_id uuid not null,
  -- Lists of two kinds may have the same id.
  kind text not null check (kind in ('countries', 'mccs', 'merchants')),
  id uuid not null,
  name text not null,
  -- True where only the entries pass, false where they are blocked. Always true of merchants, whose
  -- entries each say it.
  allow boolean not null,
  active boolean not null,
  -- A list in SHADOW declines nothing; what it would decline is counted (D-480).
  mode text not null check (mode in ('ENFORCED', 'SHADOW')),
  -- Alpha-3 codes, MCCs, or objects of merchant_id and allow.
  entries jsonb not null check (jsonb_typeof(entries) = 'array'),
  -- Raised by every change. A decision is written only on the version that it was made on (D-420).
  version bigint not null default 1,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, kind, id)
);
-- For the lists of each kind, newest first.
create index allowed_lists_newest on allowed_lists (tenant_id, kind, created, id);
