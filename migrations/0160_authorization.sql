-- What the authorization engine stores beside transactions.

-- Messages of the card network that made no transaction, with their responses: a repeat gets the
-- same one (D-109). The message that made a transaction is in the row of that. Partitioned by month
-- (D-398), each partition with a unique index on tenant_id and key.
create table network_messages (
  tenant_id uuid not null,
  -- `class|DE11|DE7|DE32|DE37`. A reversal that came before its original is stored under `R|` and
  -- the original's key, so that the original is declined when it comes late. An answer that a repeat
  -- of an approved request got is under `A|`, that key and its number, one that could not be sent
  -- under `UNSENT|` (D-528).
  key text collate "C" not null,
  mti text not null check (mti in ('0100', '0120', '0200', '0220', '0400', '0420')),
  -- What a repeat must have in common with the first message of its key (D-312): a keyed digest of
  -- card, amount, currency and processing code. Null for a reversal that came before its original.
  fingerprint bytea,
  transaction_id uuid,
  answer json not null,
  -- Real time, on the database's clock.
  created timestamptz not null
) partition by range (created);
-- The requests of a transaction, whose responses change when it is reversed (D-302).
create index network_messages_of_transaction on network_messages (tenant_id, transaction_id)
  where mti in ('0100', '0200');

-- Answers of approvals that never reached the card network: the program reverses an approval that
-- was answered in no other way (D-301, D-528). The row is deleted in the transaction that decides it.
create table unanswered_approvals (
  tenant_id uuid not null,
  -- The key of the request in network_messages: a transaction that was raised has several.
  message_key text collate "C" not null,
  -- 1 for the first answer; others are those of repeats.
  answer_number integer not null check (answer_number > 0),
  transaction_id uuid not null,
  processing_code text not null,
  -- What this request was approved for, in the transaction's currency.
  amount bigint not null check (amount >= 0),
  tries integer not null default 0 check (tries >= 0),
  due timestamptz not null,
  created timestamptz not null,
  primary key (tenant_id, message_key, answer_number)
);
-- For the sweep that reverses them.
create index unanswered_approvals_due on unanswered_approvals (tenant_id, due);

-- Wrong CVV2, iCVV, CVV and expiry dates of a card on the network (D-122): one row for each card
-- that had one. A right one leaves the row as it is, so a row is written only after a wrong one.
create table card_verification_tries (
  tenant_id uuid not null,
  card_id uuid not null,
  -- The instants of the wrong ones within 24 hours before the newest, oldest first; at most as many
  -- as the tenant's setting may allow.
  tries timestamptz[] not null check (cardinality(tries) <= 100),
  -- Raised by every change, from 1.
  version bigint not null check (version > 0),
  primary key (tenant_id, card_id)
);

-- How much was credited to a card without a purchase in a day (D-315).
create table unlinked_credits (
  tenant_id uuid not null,
  card_id uuid not null,
  -- In the tenant's time zone.
  day date not null,
  -- In the account's currency. Never negative once stored. No check: it would test the row that is
  -- proposed before a conflict, which is negative where a credit is taken back.
  amount bigint not null,
  primary key (tenant_id, card_id, day)
);
