-- Single-use tokens of the widgets (D-40); of the token itself only a digest.
create table widget_tokens (
  tenant_id uuid not null,
  digest bytea not null,
  card_id uuid not null,
  widget text not null check (widget in ('CARD_DETAILS', 'SET_PIN', 'ACTIVATE')),
  -- The only page that may frame the widget: scheme, host and port.
  origin text not null,
  expires timestamptz not null,
  failures integer not null default 0 check (failures >= 0),
  used timestamptz,
  created timestamptz not null,
  primary key (tenant_id, digest),
  foreign key (tenant_id, card_id) references cards (tenant_id, id)
);
create index widget_tokens_expiring on widget_tokens (tenant_id, expires);
