-- Verification of users: identity checks, KYC requests, and the expiry of documents.

-- One row for each attempt to verify an identity, from the token to the report (D-23).
create table identity_checks (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- The name of the identity provider.
  provider text not null,
  -- FIRST: the user was never verified. RENEWAL: a document has expired.
  phase text not null check (phase in ('FIRST', 'RENEWAL')),
  -- Whether the client requested it again: then a suspected or rejected user is terminated.
  re_initiated boolean not null,
  -- WANTED: applicant and token are not made yet. STARTING: the check is not started yet.
  status text not null check (status in
    ('WANTED', 'OPEN', 'STARTING', 'RUNNING', 'COMPLETED', 'SUPERSEDED')),
  -- The provider's ids.
  applicant_id text,
  check_id text,
  token_expires timestamptz,
  -- Reason code and note of the change of status that began it, for the event that has the token.
  old_status_reason_code text,
  note text,
  result text check (result in ('CLEAR', 'CONSIDER')),
  -- Why the result is CONSIDER.
  outcome text check (outcome in
    ('caution', 'suspected', 'rejected', 'terminated', 'document_requested', 'abandoned')),
  -- Of the document, as the provider names it.
  issuing_country text,
  -- When the provider is called next.
  due timestamptz,
  attempts integer not null default 0,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
-- A user has at most one check that is not over.
create unique index identity_checks_open on identity_checks (tenant_id, user_id)
  where status not in ('COMPLETED', 'SUPERSEDED');
create index identity_checks_of_user on identity_checks (tenant_id, user_id, created, id);
-- For the sweep that calls the provider.
create index identity_checks_due on identity_checks (tenant_id, due) where due is not null;
-- For the provider's notification, which names its check without the tenant.
create index identity_checks_of_provider on identity_checks (provider, check_id)
  where check_id is not null;

-- KYC requests (D-22).
create table kyc_requests (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kyc_policy text not null check (kyc_policy in
    ('UAE_INDIVIDUAL_PRIMARY', 'UAE_INDIVIDUAL_SECONDARY')),
  status text not null check (status in ('SUBMITTED', 'OK', 'FAILED')),
  -- Null until there is a result.
  old_status text,
  status_code text not null,
  status_description text not null,
  note text,
  -- When the simulated KYC service decides; null where persons do.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  constraint kyc_requests_status_code check (status_code =
    case status when 'SUBMITTED' then 'I0' when 'OK' then 'P0' else 'F0' end),
  constraint kyc_requests_old_status check (old_status is not distinct from
    case when status <> 'SUBMITTED' then 'SUBMITTED' end)
);
-- A user has at most one request without a result.
create unique index kyc_requests_waiting on kyc_requests (tenant_id, user_id)
  where status = 'SUBMITTED';
-- For the lists of a user and of a tenant, and for the search by time of the last change.
create index kyc_requests_of_user on kyc_requests (tenant_id, user_id, created, id);
create index kyc_requests_newest on kyc_requests (tenant_id, created, id);
create index kyc_requests_modified on kyc_requests (tenant_id, modified, id);
-- For the sweep of the simulated KYC service.
create index kyc_requests_due on kyc_requests (tenant_id, due) where due is not null;
-- For the operator, who names a request without the tenant (D-100).
create index kyc_requests_by_id on kyc_requests (id);

-- When the sweep of expired documents (D-24) next reads those of a tenant.
create table document_looks (
  tenant_id uuid not null primary key,
  due timestamptz not null
);

-- Documents of whose expiry the client was alerted. A user that was renewed without a newer
-- document causes no second alert.
create table document_alerts (
  tenant_id uuid not null,
  identification_id uuid not null,
  expiration_date timestamptz not null,
  user_id uuid not null,
  created timestamptz not null,
  primary key (tenant_id, identification_id, expiration_date),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
