-- The expiry job (D-24): when it looks at a tenant next, on the tenant's clock.
create table document_looks (
  tenant_id uuid not null primary key,
  due timestamptz not null
);
-- Documents whose user was warned: one renewed without a newer document is not warned again.
create table document_alerts (
  tenant_id uuid not null,
  identification_id uuid not null,
  expiration_date timestamptz not null,
  user_id uuid not null,
  created timestamptz not null,
  primary key (tenant_id, identification_id, expiration_date),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
