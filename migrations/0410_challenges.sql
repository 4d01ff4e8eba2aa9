-- migrate:needs-program 0260
-- Challenges: cardholders confirm payments by a one-time code or in an app (D-1090).

create table challenges (
  tenant_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  user_id uuid,
  -- One that is PENDING after `expires` counts as EXPIRED; nothing writes that.
  status text not null check (status in ('PENDING', 'PASSED', 'FAILED', 'DECLINED')),
  -- What the cardholder was shown; minor units.
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  merchant_id text not null,
  merchant_name text not null,
  -- How the code goes out, and what became of that. UNKNOWN: it may have arrived.
  messenger text not null check (messenger in ('NONE', 'SERVER', 'MAIL')),
  sending text not null check (sending in ('NONE', 'PENDING', 'SENT', 'FAILED', 'UNKNOWN')),
  -- Keyed digest of the code with all that it is bound to; null without a code, and after the end.
  code_digest bytea,
  -- Codes that were tried.
  tries int not null default 0 check (tries between 0 and 3),
  expires timestamptz not null,
  passed timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  check ((passed is not null) = (status = 'PASSED')),
  check (status = 'PENDING' or code_digest is null)
);
create index challenges_newest on challenges (tenant_id, created, id);
create index challenges_of_card on challenges (tenant_id, card_id, created, id);
