-- migrate:needs-program 0260
-- Clearing files of the own acquirer (D-1047): a capture or refund that reaches its issuer by a
-- file is collected, and is in one file. The version before works beside it: it collects none.

create table acquirer_presentments (
  tenant_id uuid not null,
  -- The capture (0220) or refund (0200) in acquirer_messages, which is sent by no line.
  message_id uuid not null,
  -- As the message has it.
  issuer text,
  -- When the file of its day is made; null once it is in one.
  due timestamptz,
  -- Its place among the messages of its file, from 1; DE71 is one more, behind the header.
  file_id uuid,
  number integer,
  primary key (tenant_id, message_id),
  constraint acquirer_presentments_in_file check (
    (due is null) = (file_id is not null) and (number is null) = (file_id is null)
    and coalesce(number, 1) >= 1)
);
create index acquirer_presentments_due on acquirer_presentments (tenant_id, due)
  where due is not null;
create unique index acquirer_presentments_of_file
  on acquirer_presentments (tenant_id, file_id, number) where file_id is not null;

create table acquirer_files (
  tenant_id uuid not null,
  id uuid not null,
  issuer text,
  -- PDS 0105, and whether PDS 0122 says that it is a test.
  file text not null check (file ~ '^[0-9]{25}$'),
  is_test boolean not null,
  -- Messages between header and trailer, and the sum of their DE4 (PDS 0301).
  messages integer not null check (messages > 0),
  amount numeric not null,
  -- SHA-256 of its bytes, which are made again from its messages.
  digest bytea not null check (length(digest) = 32),
  created timestamptz not null,
  -- When this program as the issuer is given it, or asked whether all of it is posted; null once
  -- that is so, and of another issuer.
  due timestamptz,
  primary key (tenant_id, id)
);
create index acquirer_files_due on acquirer_files (tenant_id, due) where due is not null;

-- The ids of all files (PDS 0105), which no two tenants share.
create table acquirer_file_names (
  file text primary key,
  file_id uuid not null
);
