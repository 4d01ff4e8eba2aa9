-- The chips of cards and of wallet tokens, as their messages left them (D-50, D-447).
create table chips (
  tenant_id uuid not null,
  -- The id of the card, or of the wallet token.
  id uuid not null,
  -- The highest application transaction counter of a right cryptogram; null before the first.
  atc integer check (atc between 0 and 65535),
  -- By name: the number of each script that the operator asked for, and how far it came.
  scripts json not null,
  -- Counts the changes of the row, from 1. A write names the version that it was decided on.
  version bigint not null check (version > 0),
  primary key (tenant_id, id)
);
