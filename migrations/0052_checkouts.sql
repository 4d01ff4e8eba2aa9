-- Checkouts (D-81 to D-83): a payment that a customer may make until `expires`.
create table checkouts (
  tenant_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- The part of the page's address that cannot be guessed.
  page_key text not null,
  reference text not null,
  status text not null check (status in
    ('OPEN', 'PAYING', 'PAID', 'REJECTED', 'SUPERSEDED', 'EXPIRED')),
  -- In ten-thousandths of a major unit as the shop wrote it; `amount` is what the card pays, in
  -- minor units.
  total bigint not null check (total > 0),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- As it is echoed.
  request jsonb not null,
  confirm_callback_url text not null,
  reject_callback_url text not null,
  -- The form on the page is good once.
  form_token text not null,
  refusals integer not null default 0,
  -- Why the last card was refused: DE39, or UNANSWERED.
  last_refusal text,
  -- The authorization under way.
  message_id uuid,
  expires timestamptz not null,
  -- When it ends, or when a payment that broke off is cleared up.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  constraint checkouts_paying check ((status = 'PAYING') = (message_id is not null)),
  constraint checkouts_due_open check ((status in ('OPEN', 'PAYING')) = (due is not null))
);
create unique index checkouts_of_page on checkouts (tenant_id, page_key);
create unique index checkouts_open on checkouts (tenant_id, merchant_id, reference)
  where status in ('OPEN', 'PAYING');
create index checkouts_due on checkouts (tenant_id, due) where due is not null;
