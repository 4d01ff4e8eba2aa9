-- Messages to the issuer, and the card numbers of payments that are not over or that shops keep.

-- Only merchant/acquirer/store.ts names this schema.
create schema merchant_vault;

-- Card numbers of payments that may still be completed, refunded or reversed, and those that shops
-- keep, sealed.
create table merchant_vault.cards (
  tenant_id uuid not null,
  -- The 0100 that was sent with it, or the card that a shop keeps.
  owner_id uuid not null,
  sealed bytea not null,
  primary key (tenant_id, owner_id)
);

-- Every message to the issuer, written before it is sent (D-87).
create table acquirer_messages (
  tenant_id uuid not null,
  id uuid not null,
  -- The 0100 that this message belongs to; of a 0100 its own id.
  authorization_id uuid not null,
  -- The name of the issuer to which it goes, that of its 0100; null is the default one (D-761).
  issuer text check (issuer ~ '^[a-z][a-z0-9-]{0,31}$'),
  -- Of a 0420 without which the outcome of a message stays unknown: that message (D-131).
  reverses uuid,
  mti text not null check (mti in ('0100', '0200', '0220', '0420')),
  -- The data elements without those of the card: number and expiry date are added when the message
  -- is sent, and the CVV2 is stored nowhere.
  fields jsonb not null,
  -- UNSENT: it certainly never left. REVERSING: its outcome is unknown, and a 0420 for it is under
  -- way. REVERSED: the issuer has acknowledged the 0420.
  status text not null
    check (status in ('PENDING', 'APPROVED', 'DECLINED', 'UNSENT', 'REVERSING', 'REVERSED')),
  -- DE39 and DE38 of the response.
  response_code text,
  approval_code text,
  attempts integer not null,
  -- What the operator wrote where the issuer told the outcome beside the messages (D-960).
  ended_note text check (length(ended_note) between 1 and 200),
  -- When a message that was not acknowledged is sent again.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint acquirer_messages_due_pending check (due is null or status = 'PENDING')
);
-- For the sweep that sends them again, and for those of other issuers.
create index acquirer_messages_due on acquirer_messages (tenant_id, due) where due is not null;
create index acquirer_messages_due_elsewhere on acquirer_messages (tenant_id, issuer, due)
  where due is not null and issuer is not null;
-- What is under way of a payment, for the comparison of an order with its issuer.
create index acquirer_messages_under_way on acquirer_messages (tenant_id, authorization_id)
  where status in ('PENDING', 'REVERSING');
-- For the reconciliation: the messages of a day, of a payment, and of a retrieval reference (DE37).
create index acquirer_messages_of_day on acquirer_messages (tenant_id, created, id);
create index acquirer_messages_of_payment
  on acquirer_messages (tenant_id, authorization_id, created, id);
create index acquirer_messages_of_reference on acquirer_messages (tenant_id, (fields ->> '37'))
  where mti = '0100';
-- For the settlement file: captures and refunds by the time of their approval.
create index acquirer_messages_settled on acquirer_messages (tenant_id, modified, id)
  where status = 'APPROVED' and mti in ('0200', '0220');
