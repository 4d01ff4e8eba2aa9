-- The processes of the program that share this database, each with what it runs. Reference table:
-- small, and of no tenant. Instants are the database's.

create table processes (
  id uuid primary key,
  -- What people call it: its roles and the end of its id. Nothing of the machine that it runs on.
  name text not null check (length(name) between 1 and 60),
  -- Of the program.
  version text not null check (length(version) between 1 and 60),
  roles text[] not null check (roles <@ array['api', 'network', 'worker']),
  started timestamptz not null,
  -- When it wrote this row last, which it does every five seconds.
  seen timestamptz not null,
  -- Open connections of the card network at its port.
  connections integer not null check (connections >= 0),
  -- The state of its jobs (kit/jobs/job_records.ts).
  jobs jsonb not null
) with (fillfactor = 50);
