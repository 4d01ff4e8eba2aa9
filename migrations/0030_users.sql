-- Users: individuals, companies and the persons of a company (D-15 to D-21).

-- One column for each field, named as in the API.
create table users (
  tenant_id uuid not null,
  id uuid not null,
  user_type text not null check (user_type in
    ('INDIVIDUAL', 'BUSINESS', 'DIRECTOR', 'SIGNATURE', 'SHAREHOLDER', 'SHAREHOLDER_BUSINESS')),
  status text not null check (status in ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB',
    'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  status_reason_code text not null check (status_reason_code in
    ('I0', 'A0', 'A6', 'A7', 'A8', 'B0', 'B1', 'B2', 'B5', 'B6', 'B9', 'B10', 'B0E', 'B2E', 'B9E',
      'B10E', 'S0', 'S5', 'T0', 'T12', 'T13', 'T12E', 'T13E')),
  default_user boolean not null default false,
  -- The policy of the last KYC request that was passed.
  kyc_policy_passed text,
  vip boolean,
  title text,
  first_name text,
  middle_name text,
  last_name text,
  native_name text,
  date_of_birth date,
  email text,
  mobile text,
  phone_number text,
  address jsonb,
  gender text,
  preferred_language text,
  place_of_birth text,
  nationality text,
  country_residence text,
  country_tax_residence text,
  parent_user_id uuid,
  -- The position in the parent's list of this user's type (D-19); null for a user that is in no
  -- list. The unique index makes an eleventh entry impossible.
  list_place smallint check (list_place between 1 and 10),
  relationship_with_parent text,
  employment_type text,
  employment_title text,
  monthly_salary numeric,
  company_name text,
  company_address jsonb,
  company_country text,
  industry_type text,
  expected_monthly_balance numeric,
  designation text,
  local_address jsonb,
  shares_percentage text,
  share_controller_name text,
  license_type text,
  license_expiry date,
  business_legal_name text,
  business_dba_name text,
  date_established date,
  website text,
  incorporation_type text,
  entity_registered_no text,
  old_entity_name text,
  old_entity_ops_start_date text,
  old_entity_ops_end_date text,
  regulated_entity boolean,
  regulator_name text,
  business_activities text,
  other_operated_countries text,
  tax_residence_country text,
  tin text,
  external_auditor_name text,
  group_additional_info jsonb,
  pep_check_info jsonb,
  no_of_employees text,
  accept_cash_check boolean,
  annual_turnover numeric,
  source_of_funds text,
  source_fund_uae boolean,
  due_diligence_declaration jsonb,
  -- Limits that are linked to it (D-41, D-42).
  balance_limit_ids uuid[] not null default '{}',
  velocity_limit_ids uuid[] not null default '{}',
  -- For the search. A column of its own: under row security, an index serves no function of one
  -- that could leak what it is given (D-505).
  email_folded text generated always as (lower(email)) stored,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_user_id) references users (tenant_id, id),
  constraint users_place_of_child check (list_place is null or parent_user_id is not null)
);
-- Shareholders that are persons and those that are companies are in one list.
create unique index users_in_lists on users (tenant_id, parent_user_id,
  (case user_type when 'SHAREHOLDER_BUSINESS' then 'SHAREHOLDER' else user_type end), list_place)
  where list_place is not null;
-- For the list of users, and that of the users below one.
create index users_newest on users (tenant_id, created, id);
create index users_of_parent on users (tenant_id, parent_user_id, created, id)
  where parent_user_id is not null;
create index users_by_status on users (tenant_id, status, created, id);
create index users_by_type on users (tenant_id, user_type, created, id);
-- For the list of users that await a check, as rules/status.ts says (D-616).
create index users_awaiting_checks on users (tenant_id, created, id)
  where status in ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB')
    or (status = 'SUSPENDED' and status_reason_code = 'S5')
    or (status = 'ACTIVE' and status_reason_code not in ('A0', 'A7'));
-- For the search by e-mail address and by mobile number.
create index users_by_email on users (tenant_id, email_folded, created, id)
  where email_folded is not null;
create index users_by_mobile on users (tenant_id, mobile, created, id) where mobile is not null;
-- For the operator, who names a user without the tenant, and for the operator's list of users that
-- wait for a review, of all tenants (D-100).
create index users_by_id on users (id);
create index users_in_review on users (created, id)
  where status = 'PENDINGKYB' or (status = 'SUSPENDED' and status_reason_code = 'S5');

-- For the search by name: the names of each user, folded, from each of their words to the end. A
-- rare term is found here and the users are sorted; for a frequent one the newest users are read
-- until the page is full.
create table user_names (
  tenant_id uuid not null,
  -- That of the user.
  created timestamptz not null,
  user_id uuid not null,
  term text collate "C" not null,
  primary key (tenant_id, created, user_id, term),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index user_names_by_term on user_names (tenant_id, term, created, user_id);

-- Every change of a user's status (D-20). Never updated, never deleted.
create table user_status_changes (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  old_status text not null check (old_status in
    ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB', 'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  old_status_reason_code text not null check (old_status_reason_code in
    ('I0', 'A0', 'A6', 'A7', 'A8', 'B0', 'B1', 'B2', 'B5', 'B6', 'B9', 'B10', 'B0E', 'B2E', 'B9E',
      'B10E', 'S0', 'S5', 'T0', 'T12', 'T13', 'T12E', 'T13E')),
  new_status text not null check (new_status in
    ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB', 'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  new_status_reason_code text not null check (new_status_reason_code in
    ('I0', 'A0', 'A6', 'A7', 'A8', 'B0', 'B1', 'B2', 'B5', 'B6', 'B9', 'B10', 'B0E', 'B2E', 'B9E',
      'B10E', 'S0', 'S5', 'T0', 'T12', 'T13', 'T12E', 'T13E')),
  -- Who made the change.
  actor_kind text not null
    check (actor_kind in ('client', 'operator', 'merchant', 'network', 'system')),
  actor_id text not null,
  note text,
  created timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
-- For the history of a user.
create index user_status_changes_of_user on user_status_changes (tenant_id, user_id, created, id);
