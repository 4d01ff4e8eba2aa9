-- migrate:needs-program 0260
-- Disputes of settled card transactions, from the issuer's side (D-1060 to D-1064).

-- DISPUTES is a program account whose balance is the sum of its entries: what the card network has
-- given back for disputes, less what cardholders have got for them. The checks are wider than those
-- before; 0351_disputes_checks.sql validates them.
alter table accounts
  drop constraint accounts_kind_check,
  add constraint accounts_kind_check
    check (kind = any ('{CARD,FUNDING,EXTERNAL,SETTLEMENT,FEES,FX,DISPUTES,SUSPENSE}')) not valid,
  drop constraint accounts_kept_or_summed,
  add constraint accounts_kept_or_summed check ((balance is null)
    = (kind = any ('{EXTERNAL,SETTLEMENT,FEES,FX,DISPUTES,SUSPENSE}'))) not valid;

alter table transfers
  drop constraint transfers_kind_check,
  add constraint transfers_kind_check check (kind in ('LOAD', 'UNLOAD', 'TRANSFER',
    'PROGRAM_FUNDING', 'CLEARING', 'REVERSAL', 'FX_DIFFERENCE', 'PURCHASE', 'WITHDRAWAL',
    'CASH_BACK', 'ACCOUNT_FUNDING', 'QUASI_CASH', 'CASH_DISBURSEMENT', 'REFUND', 'DEPOSIT',
    'ORIGINAL_CREDIT', 'PAYMENT', 'CHARGE', 'CHARGE_REVERSAL', 'SUSPENSE',
    'SUSPENSE_WRITE_OFF', 'SCHEME_FEE', 'DISPUTE_CREDIT',
    'DISPUTE_CREDIT_REVERSAL', 'DISPUTE_CHARGEBACK', 'DISPUTE_REPRESENTMENT', 'DISPUTE_EXCHANGE',
    'DISPUTE_WRITE_OFF')) not valid;

-- DISPUTE: what an account did not have when a provisional credit was taken back.
alter table charges
  drop constraint charges_type_check,
  add constraint charges_type_check check (type in ('ISSUING', 'REPLACEMENT', 'CASH_WITHDRAWAL',
    'FOREIGN_CURRENCY', 'MONTHLY', 'DISPUTE', 'OTHER')) not valid;

create table disputes (
  tenant_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  card_id uuid not null,
  user_id uuid,
  status text not null check (status in ('DRAFT', 'SUBMITTED', 'CHARGED_BACK', 'REPRESENTED',
    'PRE_ARBITRATION', 'WON', 'LOST', 'ACCEPTED', 'WITHDRAWN', 'EXPIRED')),
  -- How it ended; null while it is open, and of one that never reached the card network.
  outcome text check (outcome in ('WON', 'LOST')),
  reason text not null check (reason in ('FRAUD', 'NOT_RECEIVED', 'NOT_AS_DESCRIBED', 'CANCELLED',
    'CREDIT_NOT_PROCESSED', 'DUPLICATE', 'WRONG_AMOUNT', 'PAID_BY_OTHER_MEANS',
    'CASH_NOT_DISPENSED', 'OTHER')),
  -- Null for a card of another scheme.
  scheme text check (scheme in ('MASTERCARD', 'VISA')),
  reason_code text,
  explanation text not null,
  -- Texts by their names.
  evidence jsonb not null,
  -- Minor units of the currency of the account.
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The part of the amount that the card network has settled: less or more than the amount where
  -- the transaction is in another currency.
  settled bigint not null check (settled >= 0),
  -- What the merchant's side took back by a second presentment.
  represented bigint not null default 0 check (represented between 0 and amount),
  -- When the cardholder gets a provisional credit: the setting as it was at the submission.
  provisional_credit text not null check (provisional_credit in
    ('NONE', 'AT_SUBMISSION', 'AT_CHARGEBACK')),
  -- What is with the cardholder, and what the network has given back; parts of the amount.
  credited bigint not null default 0 check (credited between 0 and amount),
  recovered bigint not null default 0 check (recovered between 0 and amount),
  -- The message that has to leave for the card network.
  outgoing text check (outgoing in ('CHARGEBACK', 'ARBITRATION', 'REVERSAL')),
  -- Until when whoever has to act next may act.
  deadline timestamptz,
  -- When the sweep looks at it: ahead of the deadline, and at it.
  due timestamptz,
  alerted boolean not null default false,
  -- The steps of its life, oldest first, with their authors.
  moves jsonb not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  check ((deadline is null) = (due is null))
);
-- For lists, and for the sum of the disputes of a transaction.
create index disputes_newest on disputes (tenant_id, created, id);
create index disputes_of_transaction on disputes (tenant_id, transaction_id);
create index disputes_of_account on disputes (tenant_id, account_id, created, id);
create index disputes_due on disputes (tenant_id, due) where due is not null;
create index disputes_outgoing on disputes (tenant_id, modified, id) where outgoing is not null;

-- Files of evidence; their bytes are sealed in the blob store, as those of identifications.
create table dispute_files (
  tenant_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  file_name text not null,
  content_type text not null,
  -- Bytes, before sealing.
  size bigint not null check (size > 0),
  sha256 bytea not null,
  -- The name of the sealed bytes in the blob store, and their key, sealed under a data key.
  blob_key text not null,
  sealed_key bytea not null,
  -- HELD: the virus scanner has not seen the file yet, and it is not served.
  scan_status text not null check (scan_status in ('NOT_SCANNED', 'HELD', 'CLEAN', 'INFECTED')),
  -- When a held file is sent to the scanner again, on the database's clock.
  scan_due timestamptz,
  created timestamptz not null,
  deleted timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, dispute_id) references disputes (tenant_id, id)
);
-- For the list of a dispute's files, and for the sweep that scans held ones.
create index dispute_files_newest on dispute_files (tenant_id, dispute_id, created, id)
  where deleted is null;
create index dispute_files_to_scan on dispute_files (tenant_id, scan_due)
  where scan_due is not null;
