-- migrate:needs-program 0260
-- Clearing files of card networks (D-1041 to D-1046). A file is of the cards of all tenants, so
-- that is a reference table; a record belongs to the tenant of its card.

create table clearing_files (
  id uuid primary key,
  -- PDS 0105, by which both sides know it; null where the file has none.
  file text,
  -- SHA-256 of its bytes; null while it is checked.
  digest bytea check (length(digest) = 32),
  state text not null check (state = any ('{CHECKING,REJECTED,ACCEPTED}')),
  records integer not null default 0 check (records >= 0),
  -- The sum of DE4 of all records, in whatever currencies (PDS 0301).
  amount numeric not null default 0,
  -- What is wrong with it: all of it by number, and the first as sentences.
  fault_count integer not null default 0,
  faults jsonb not null default '[]',
  -- The tenants that have records of it. The first has those that name no card of any.
  tenant_ids uuid[] not null default '{}',
  created timestamptz not null
);
create unique index clearing_files_by_name on clearing_files (file) where state = 'ACCEPTED';
-- For the list.
create index clearing_files_newest on clearing_files (created, id);

create table clearing_records (
  tenant_id uuid not null,
  file_id uuid not null,
  -- From 1, and its first byte in the file.
  number integer not null check (number >= 1),
  place bigint not null,
  mti text not null,
  function_code text not null,
  kind text not null check (kind = any ('{PRESENTMENT,REVERSAL,FEE,DISPUTE,TOTALS,OTHER}')),
  state text not null
    check (state = any ('{WAITING,POSTED,BOOKED,SUSPENDED,SHOWN,RESOLVED}')),
  -- The record as text, its card number masked.
  content jsonb not null,
  -- What posting takes of it, without its card number.
  facts jsonb not null,
  card_id uuid,
  -- Minor units of the transaction's currency (DE4, DE49), and whether the cardholder gets it.
  amount bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  credit boolean not null default false,
  -- The acquirer's reference data (DE31).
  ard text,
  -- The transaction that it posts, and the code of its decision.
  transaction_id uuid,
  status_code text,
  -- Why it is in suspense, and what was booked there or to fees.
  reason text,
  booked_amount bigint,
  booked_currency text check (booked_currency ~ '^[A-Z]{3}$'),
  -- A later record has reversed it.
  reversed boolean not null default false,
  -- How a person has resolved it.
  resolution text check (resolution = any ('{POSTED,RETURNED,WRITTEN_OFF}')),
  note text,
  resolved_by text,
  resolved timestamptz,
  -- Until when a process has it in hand.
  claimed timestamptz not null,
  primary key (tenant_id, file_id, number)
);
create index clearing_records_waiting on clearing_records (tenant_id, file_id, number)
  where state = 'WAITING';
create index clearing_records_suspended on clearing_records (tenant_id, file_id, number)
  where state = 'SUSPENDED';
create index clearing_records_by_reference on clearing_records (tenant_id, ard)
  where ard is not null;

-- SUSPENSE has what could not be posted until a person resolves it (D-1043).
alter table accounts drop constraint accounts_kind_check,
  add constraint accounts_kind_check
    check (kind = any ('{CARD,FUNDING,EXTERNAL,SETTLEMENT,FEES,FX,SUSPENSE}')) not valid,
  drop constraint accounts_kept_or_summed,
  add constraint accounts_kept_or_summed
    check ((balance is null) = (kind = any ('{EXTERNAL,SETTLEMENT,FEES,FX,SUSPENSE}'))) not valid;
alter table transfers drop constraint transfers_kind_check,
  add constraint transfers_kind_check check (kind in ('LOAD', 'UNLOAD', 'TRANSFER',
    'PROGRAM_FUNDING', 'CLEARING', 'REVERSAL', 'FX_DIFFERENCE', 'PURCHASE', 'WITHDRAWAL',
    'CASH_BACK', 'ACCOUNT_FUNDING', 'QUASI_CASH', 'CASH_DISBURSEMENT', 'REFUND', 'DEPOSIT',
    'ORIGINAL_CREDIT', 'PAYMENT', 'CHARGE', 'CHARGE_REVERSAL', 'SUSPENSE', 'SUSPENSE_WRITE_OFF',
    'SCHEME_FEE')) not valid;
