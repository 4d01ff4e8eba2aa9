-- Checkouts (D-81 to D-83): a payment that a customer may make until `expires`.

create table checkouts (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The part of the page's address that cannot be guessed.
  page_key text not null,
  -- The merchant's name of the payment.
  reference text not null,
  status text not null check (status in
    ('OPEN', 'PAYING', 'PAID', 'REJECTED', 'SUPERSEDED', 'EXPIRED')),
  -- The price as the merchant wrote it, in ten-thousandths of a major unit.
  total bigint not null check (total > 0),
  -- What the card pays, in minor units.
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The request, as it is returned.
  request jsonb not null,
  -- Empty, both, of a payment that the merchant makes with a kept card, which has no page.
  confirm_callback_url text not null,
  reject_callback_url text not null,
  -- The form on the page is valid once.
  form_token text not null,
  -- Declined payments.
  declines integer not null default 0,
  -- Why the last one was declined: DE39, UNANSWERED, or UNAUTHENTICATED.
  last_decline text,
  -- The question of the card's issuer that waits for a one-time code (3-D Secure).
  challenge_id uuid,
  -- A keyed digest of the form that it is for: of its token, the card and the expiry date.
  challenge_form bytea,
  -- How many codes were sent; the last one is valid.
  challenge_codes integer check (challenge_codes > 0),
  challenge_expires timestamptz,
  -- Since the last decline, over all questions.
  wrong_codes integer not null default 0,
  -- The authorization that is under way.
  message_id uuid,
  -- It was sent and its outcome is not known: its reversal decides (D-131).
  in_doubt boolean not null default false,
  -- The sentence by which the customer lets the shop keep the card of the payment under way.
  keep_consent text,
  -- The kept card with which the merchant makes this payment, without the customer (D-775).
  kept_card_id uuid,
  -- Of the request for such a payment: a repeat of it finds this one (D-131).
  idempotency_key text,
  fingerprint bytea,
  expires timestamptz not null,
  -- When it expires, or when a payment that was interrupted is resolved.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint checkouts_paying check ((status = 'PAYING') = (message_id is not null)),
  constraint checkouts_without_page check (kept_card_id is null or status <> 'OPEN'),
  constraint checkouts_key check ((idempotency_key is null) = (fingerprint is null)),
  constraint checkouts_in_doubt check (not in_doubt or status = 'PAYING'),
  constraint checkouts_due_open check (
    (status = 'OPEN' or (status = 'PAYING' and not in_doubt)) = (due is not null)),
  constraint checkouts_challenge check (
    num_nulls(challenge_id, challenge_form, challenge_codes, challenge_expires) in (0, 4)),
  constraint checkouts_challenge_open check (challenge_id is null or status = 'OPEN')
);
create unique index checkouts_of_page on checkouts (tenant_id, page_key);
-- A reference has at most one open checkout, and at most one payment.
create unique index checkouts_open on checkouts (tenant_id, merchant_id, reference)
  where status in ('OPEN', 'PAYING');
create unique index checkouts_paid on checkouts (tenant_id, merchant_id, reference)
  where status = 'PAID';
-- For the outcome of a message.
create index checkouts_of_message on checkouts (tenant_id, message_id)
  where message_id is not null;
-- For a repeated request with the same key.
create index checkouts_of_key on checkouts (tenant_id, idempotency_key)
  where idempotency_key is not null;
-- For the sweep that expires and resolves them.
create index checkouts_due on checkouts (tenant_id, due) where due is not null;
