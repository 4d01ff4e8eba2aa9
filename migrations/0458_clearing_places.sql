-- migrate:needs-program 0260
-- Watched places of clearing files (D-1041): one process at a time looks at each, and all of them
-- know what was there at the last look. The version before works beside it: it watches none.

create table clearing_places (
  -- Of NETWORKS_FILE.
  network text primary key,
  -- When it is looked at next; a process that looks at it has put that off.
  due timestamptz not null,
  -- Size and time of change of each file that waits, by its name.
  waiting jsonb not null default '{}',
  -- Why the last look has failed, and since when looks fail; null of one that did not.
  fault text,
  failing_since timestamptz,
  constraint clearing_places_fault_check check ((fault is null) = (failing_since is null))
);
