-- migrate:needs-program 0260
-- Outgoing clearing files (D-1063, D-1131): a message is stored in the transaction in which it
-- leaves. The version before works beside it, and has no part in it.

-- Records that were RETURNED, and whose message has still to leave. Those that the version before
-- resolves are not here: their messages leave by other means.
create table clearing_returns (
  tenant_id uuid not null,
  file_id uuid not null,
  number integer not null,
  primary key (tenant_id, file_id, number)
);

create table clearing_exports (
  tenant_id uuid not null,
  id uuid not null,
  -- PDS 0105.
  file text not null check (file ~ '^[0-9]{25}$'),
  -- The id of the issuer in PDS 0105 and DE94, and the form of the bytes.
  institution text not null check (institution ~ '^[0-9]{11}$'),
  ebcdic boolean not null,
  blocked boolean not null,
  -- Messages between header and trailer, and the sum of their DE4 (PDS 0301).
  messages integer not null check (messages > 0),
  amount numeric not null,
  created timestamptz not null,
  primary key (tenant_id, id)
);
-- For the list.
create index clearing_exports_newest on clearing_exports (tenant_id, created, id);

create table clearing_export_messages (
  tenant_id uuid not null,
  export_id uuid not null,
  -- From 1, without gap; DE71 is one more, behind the header.
  number integer not null check (number >= 1),
  -- The dispute that it is about, or the record of an imported file that it returns.
  dispute_id uuid,
  file_id uuid,
  record_number integer,
  -- The card of DE2, whose number is in the vault alone.
  card_id uuid,
  -- The message without DE2 and DE71.
  content jsonb not null,
  primary key (tenant_id, export_id, number)
);
-- A record is returned once.
create unique index clearing_export_messages_returns
  on clearing_export_messages (tenant_id, file_id, record_number) where file_id is not null;

-- The ids of all outgoing files (PDS 0105), which no two tenants share.
create table clearing_export_names (
  file text primary key,
  export_id uuid not null
);
