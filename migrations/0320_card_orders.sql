-- migrate:needs-program 0260
-- Orders of physical cards from a bureau (D-1020 to D-1025, D-1123 to D-1125).

-- The batch that has the card; null before it is collected.
alter table cards add column card_order_id uuid;
-- Whether its order goes out in a file: not for cards of the version before, and not for those whose
-- order the operator has recorded by hand.
alter table cards add column ordered_by_file boolean not null default false;

-- How the bureau makes the cards of the product; null has every default.
alter table card_products add column production jsonb;

-- A batch: cards of one product in one file.
create table card_orders (
  tenant_id uuid not null,
  id uuid not null,
  card_product_id uuid not null,
  state text not null
    check (state in ('PREPARING', 'SENT', 'CONFIRMED', 'PARTLY_REJECTED', 'FAILED')),
  bureau text not null,
  file_name text not null,
  count integer not null check (count > 0),
  -- The layout of its file when it was made; null is CSV.
  layout jsonb,
  -- SHA-256 of the file in clear, in hex; null until the bureau had the whole of it.
  digest text check (digest ~ '^[0-9a-f]{64}$'),
  -- SHA-256 over the digest and what the batch froze, for doctor.
  seal text,
  -- The name under which the bureau has the whole file before it has its own; null before.
  uploaded text,
  attempts integer not null default 0,
  -- When it is worked on next; null when nothing is left to do but to wait for answers.
  due timestamptz,
  -- Why the last attempt failed.
  fault text,
  sent timestamptz,
  answered timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
);
-- For the list of batches.
create index card_orders_newest on card_orders (tenant_id, created, id);
-- For what is to be sent.
create index card_orders_due on card_orders (tenant_id, due) where due is not null;

-- A record of the file of a batch: one card.
create table card_order_records (
  tenant_id uuid not null,
  -- The order id that the bureau answers with.
  id uuid not null,
  card_order_id uuid not null,
  card_id uuid not null,
  position integer not null,
  -- Everything of the record but the number, the PIN and what is computed of them.
  frozen jsonb not null,
  -- The bureau's last answer; null before.
  status text check (status in ('PRODUCED', 'SHIPPED', 'DELIVERED', 'RETURNED', 'REJECTED')),
  reason text,
  -- The file of that answer by its digest, and the line.
  answer_digest text,
  answer_line integer,
  answered timestamptz,
  primary key (tenant_id, id)
);
create unique index card_order_records_positions
  on card_order_records (tenant_id, card_order_id, position);
-- For the batches of a card.
create index card_order_records_cards on card_order_records (tenant_id, card_id);

-- PINs that a mailer brings: the block under the bureau's key, sealed, until the PIN is another one
-- or the card has been shipped.
create table vault.mailed_pins (
  tenant_id uuid not null,
  card_id uuid not null,
  sealed bytea not null,
  primary key (tenant_id, card_id)
);

-- Files of answers that were applied. A file is about cards of all tenants, so this is a reference
-- table.
create table bureau_answers (
  id uuid primary key,
  bureau text not null,
  file_name text not null,
  -- SHA-256 of its bytes, in hex: it is applied once under whatever name it comes.
  digest text not null unique check (digest ~ '^[0-9a-f]{64}$'),
  lines integer not null,
  applied integer not null,
  -- Lines without an effect: their number and what is wrong with them; the first 1,000.
  faults jsonb not null,
  created timestamptz not null
);
-- For the list.
create index bureau_answers_newest on bureau_answers (created, id);
