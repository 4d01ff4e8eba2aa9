-- KYC requests (D-22).
create table kyc_requests (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kyc_policy text not null check (kyc_policy in
    ('UAE_INDIVIDUAL_PRIMARY', 'UAE_INDIVIDUAL_SECONDARY')),
  status text not null check (status in ('SUBMITTED', 'OK', 'FAILED')),
  old_status text,
  status_code text not null,
  status_description text not null,
  note text,
  -- When the sandbox's service looks at it; null when people decide.
  due timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
-- A user waits for one result at a time.
create unique index kyc_requests_waiting on kyc_requests (tenant_id, user_id)
  where status = 'SUBMITTED';
create index kyc_requests_of_user on kyc_requests (tenant_id, user_id, created, id);
create index kyc_requests_newest on kyc_requests (tenant_id, created, id);
create index kyc_requests_modified on kyc_requests (tenant_id, modified, id);
create index kyc_requests_due on kyc_requests (tenant_id, due) where due is not null;
-- The operator names a request without its tenant (D-100).
create index kyc_requests_by_id on kyc_requests (id);
