-- migrate:needs-program 0260
-- The connections of the networks of NETWORKS_FILE as each process has them (D-1310). Reference
-- table of a few rows, written every five seconds. The version before works beside it: it writes
-- none, and its connections are not shown.

create table network_lines (
  process_id uuid primary key,
  -- When the process wrote this row last.
  seen timestamptz not null,
  -- Of each network its connections, and how many messages had no effect since the start.
  networks jsonb not null
) with (fillfactor = 50);
