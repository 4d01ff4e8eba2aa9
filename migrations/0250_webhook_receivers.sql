-- Receivers of a sandbox for trying webhooks, and what they received (D-640).

create table sandbox_webhook_receivers (
  tenant_id uuid not null,
  id uuid not null,
  -- How it answers, and after how long.
  answer_status integer not null check (answer_status between 200 and 599),
  delay_ms integer not null check (delay_ms between 0 and 15000),
  -- Requests since it was created, also those that are no longer stored.
  received integer not null default 0 check (received >= 0),
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
);
create index sandbox_webhook_receivers_by_creation
  on sandbox_webhook_receivers (tenant_id, created, id);

create table sandbox_webhook_requests (
  tenant_id uuid not null,
  receiver_id uuid not null,
  id uuid not null,
  -- Its place among the requests of the receiver, from 1.
  number integer not null,
  -- Names and values; secret values are masked before they are stored.
  headers json not null,
  -- Of a request whose signature is valid, and of no other.
  body text,
  -- Bytes of the whole body.
  size integer not null check (size >= 0),
  verification text not null
    check (verification in ('VALID', 'INVALID', 'MISSING', 'UNKNOWN')),
  -- The subscription that signed it.
  webhook_id uuid,
  answer_status integer not null,
  delay_ms integer not null,
  -- Real time of its arrival.
  created timestamptz not null,
  primary key (tenant_id, receiver_id, id),
  foreign key (tenant_id, receiver_id) references sandbox_webhook_receivers (tenant_id, id)
    on delete cascade,
  check ((webhook_id is not null) = (verification = 'VALID')),
  check (body is null or verification = 'VALID')
);
create index sandbox_webhook_requests_by_arrival
  on sandbox_webhook_requests (tenant_id, receiver_id, created, id);
-- For deleting old ones.
create index sandbox_webhook_requests_by_age on sandbox_webhook_requests (created);
