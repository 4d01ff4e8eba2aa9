-- Settlement files of acquirers that were compared with the issuer's book (D-765). A file is of the
-- cards of all tenants, so this is a reference table: a row a day.

create table settlement_files (
  id uuid primary key,
  -- By which both sides know it: the acquirer (DE32) and the day.
  file text not null unique check (file ~ '^[0-9]{1,11}-[0-9]{8}$'),
  acquirer_id text not null,
  -- YYYY-MM-DD, a day of UTC.
  date text not null check (date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- SHA-256 of its bytes.
  digest bytea not null check (length(digest) = 32),
  records integer not null check (records >= 0),
  -- By currency and type: count and amount in minor units.
  sums jsonb not null,
  -- How many findings there are of each kind, and the first of them.
  counts jsonb not null,
  findings jsonb not null,
  -- Postings near midnight that may be in the file of the day beside.
  over_midnight integer not null check (over_midnight >= 0),
  created timestamptz not null
);
-- For the list.
create index settlement_files_newest on settlement_files (created, id);
