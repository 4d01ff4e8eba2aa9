-- migrate:needs-program 0260
-- Further checks of users that are ACTIVE (D-1082). The version before reads and writes none of it.

-- One row for a tenant: the place of its round, or when the next one begins.
create table screening_rounds (
  tenant_id uuid not null primary key,
  started timestamptz not null,
  -- The last user that was checked, in the order of ids; null before the first.
  last_user_id uuid,
  checked integer not null default 0,
  due timestamptz not null,
  attempts integer not null default 0,
  failure text,
  -- When the last whole round ended; null before the first.
  ended timestamptz
);
create index screening_rounds_due on screening_rounds (tenant_id, due);
