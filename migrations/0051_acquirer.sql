-- Card numbers of payments that may still be completed, refunded or reversed, sealed. Only
-- merchant/acquirer/store.ts names this schema.
create schema merchant_vault;

create table merchant_vault.cards (
  tenant_id uuid not null,
  -- The authorization that was made with it.
  authorization_id uuid not null,
  sealed bytea not null,
  primary key (tenant_id, authorization_id)
);

-- DE11. Six digits for all tenants together: a number comes back only after a million messages, so
-- no two messages of one second share it.
create sequence acquirer_stan as integer maxvalue 999999 cycle;

-- Every message to the issuer, written before it is sent (D-87). `fields` holds what does not name
-- the card: number and expiry are put in when it is sent, the CVV2 is kept nowhere.
create table acquirer_messages (
  tenant_id uuid not null,
  id uuid not null,
  -- The 0100 that this message belongs to; of a 0100 its own id.
  authorization_id uuid not null,
  mti text not null check (mti in ('0100', '0200', '0220', '0420')),
  fields jsonb not null,
  -- UNSENT: it certainly never left. REVERSED: it was not answered, and a 0420 takes it back.
  status text not null check (status in ('PENDING', 'APPROVED', 'DECLINED', 'UNSENT', 'REVERSED')),
  response_code text,
  approval_code text,
  attempts integer not null,
  -- When an advice that was not acknowledged is sent again.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint acquirer_messages_due_pending check (due is null or status = 'PENDING')
);
create index acquirer_messages_due on acquirer_messages (tenant_id, due) where due is not null;
