-- Verification of identity (D-23): one row for each try, from the token to the report.
create table identity_checks (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  provider text not null,
  -- Before a user is first verified, or again after a document has expired.
  phase text not null check (phase in ('FIRST', 'RENEWAL')),
  -- Whether the client has asked for it again: then SUSPECTED and REJECTED end the user.
  re_initiated boolean not null,
  -- WANTED: applicant and token are still to be had. STARTING: the check is still to be started.
  status text not null check (status in
    ('WANTED', 'OPEN', 'STARTING', 'RUNNING', 'COMPLETED', 'SUPERSEDED')),
  applicant_id text,
  token_expires timestamptz,
  check_id text,
  -- What the client's move told, for the event that tells the token.
  old_status_reason_code text,
  note text,
  result text check (result in ('CLEAR', 'CONSIDER')),
  outcome text,
  issuing_country text,
  -- When the provider is asked next; null while nothing is to be asked.
  due timestamptz,
  attempts integer not null default 0,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create unique index identity_checks_open on identity_checks (tenant_id, user_id)
  where status not in ('COMPLETED', 'SUPERSEDED');
create index identity_checks_of_user on identity_checks (tenant_id, user_id, created, id);
create index identity_checks_due on identity_checks (tenant_id, due) where due is not null;
-- A provider names its check without our tenant when it tells that it is done.
create index identity_checks_of_provider on identity_checks (provider, check_id)
  where check_id is not null;

-- What the sandbox's own provider keeps of an applicant. The token itself is not kept.
create table sandbox_applicants (
  tenant_id uuid not null,
  id uuid not null,
  checks text[] not null,
  token_hash bytea,
  token_expires timestamptz,
  submitted timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
);
create unique index sandbox_applicants_by_token on sandbox_applicants (tenant_id, token_hash)
  where token_hash is not null;

-- What an applicant has handed in, without the pictures: nobody looks at them in a sandbox.
create table sandbox_media (
  tenant_id uuid not null,
  id uuid not null,
  applicant_id uuid not null,
  kind text not null check (kind in ('document_front', 'document_back', 'face')),
  content_type text not null,
  size integer not null,
  digest bytea not null,
  created timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, applicant_id) references sandbox_applicants (tenant_id, id)
);
create index sandbox_media_of_applicant on sandbox_media (tenant_id, applicant_id);
