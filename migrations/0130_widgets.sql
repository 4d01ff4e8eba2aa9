-- Single-use tokens of the widgets (D-40).

create table widget_tokens (
  tenant_id uuid not null,
  -- Of the token, which is not stored.
  digest bytea not null,
  card_id uuid not null,
  widget text not null check (widget in ('CARD_DETAILS', 'SET_PIN', 'ACTIVATE')),
  -- The only origin that may frame the widget: scheme, host and port.
  origin text not null,
  expires timestamptz not null,
  -- Failed attempts to use it.
  failures integer not null default 0 check (failures >= 0),
  used timestamptz,
  created timestamptz not null,
  primary key (tenant_id, digest),
  foreign key (tenant_id, card_id) references cards (tenant_id, id)
);
-- For the sweep that deletes expired tokens.
create index widget_tokens_expiring on widget_tokens (tenant_id, expires);
