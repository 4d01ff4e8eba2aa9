-- The portal (D-133 to D-143): people, their memberships, sessions and second factors. Reference
-- tables: they are small, and most are read before the tenant is known. People have no tenant,
-- memberships have. Instants are the database's.

create table people (
  id uuid primary key,
  -- Trimmed and in lower case: how the person is found.
  email text not null unique check (email = lower(btrim(email)) and length(email) <= 254),
  -- As it was written.
  email_shown text not null check (length(email_shown) <= 254),
  -- Argon2id as a PHC string; null until a password is set.
  password_hash text,
  -- Sealed; null without TOTP.
  totp_secret bytea,
  -- When the secret was begun, and in which session: it is confirmed there, within minutes.
  totp_begun timestamptz,
  totp_begun_in uuid,
  -- The step of the last accepted code, which is valid once.
  totp_last_step bigint,
  created timestamptz not null,
  modified timestamptz not null
);

-- One person has one membership in this version.
create table memberships (
  id uuid primary key,
  person_id uuid not null unique references people (id) on delete cascade,
  -- Null for the operator's team, who belong to no tenant (D-137).
  tenant_id uuid references tenants (id),
  role text not null,
  created timestamptz not null,
  modified timestamptz not null,
  unique nulls not distinct (person_id, tenant_id),
  check (case when tenant_id is null
    then role in ('operator_owner', 'operator_compliance', 'operator_support')
    else role in ('owner', 'developer', 'finance', 'compliance', 'support', 'viewer')
  end)
);
-- For the list of a tenant's members.
create index memberships_of_tenant on memberships (tenant_id, created, id);

create table portal_sessions (
  id uuid primary key,
  -- SHA-256 of the 32 bytes in the cookie (D-136).
  token_hash bytea not null unique check (length(token_hash) = 32),
  membership_id uuid not null references memberships (id) on delete cascade,
  created timestamptz not null,
  -- At most ten seconds before the last request (D-575).
  last_used timestamptz not null,
  expires timestamptz not null,
  user_agent text not null check (length(user_agent) <= 200),
  -- The IP address that the sign-in came from.
  address text not null check (length(address) <= 64),
  -- Whether it began with a second factor that the person still has: for some minutes the factors
  -- may then be changed without the password (D-1001).
  with_factor boolean not null default false
);
create index portal_sessions_of_membership on portal_sessions (membership_id, created, id);
create index portal_sessions_by_expiry on portal_sessions (expires);

-- What a link or a first step of a sign-in carries; each is used once.
create table portal_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  kind text not null check (kind in ('CONFIRM', 'INVITE', 'RESET', 'CHALLENGE')),
  data jsonb not null,
  expires timestamptz not null,
  used timestamptz,
  created timestamptz not null
);
create index portal_tokens_by_expiry on portal_tokens (expires);

create table invitations (
  id uuid primary key,
  -- Null for the operator's team.
  tenant_id uuid references tenants (id),
  email text not null check (email = lower(btrim(email)) and length(email) <= 254),
  role text not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- The person with whose membership it ends (D-885); null for one of the operator's key.
  invited_by uuid references people (id) on delete cascade,
  created timestamptz not null,
  expires timestamptz not null,
  accepted timestamptz
);
create index invitations_of_tenant on invitations (tenant_id, created, id);
create index invitations_of_sender on invitations (invited_by);

create table recovery_codes (
  person_id uuid not null references people (id) on delete cascade,
  code_hash bytea not null,
  used timestamptz,
  primary key (person_id, code_hash)
);

create table passkeys (
  -- The credential id of WebAuthn.
  id text primary key,
  person_id uuid not null references people (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created timestamptz not null,
  last_used timestamptz
);
create index passkeys_of_person on passkeys (person_id, created, id);

-- Mails to be sent, and those that a sandbox without SMTP_URL keeps (D-142, D-580). They belong to
-- no tenant: who gets one may have no account yet.
create table mails (
  id uuid primary key,
  -- In lower case.
  to_address text not null,
  subject text not null,
  -- Text and HTML, sealed: they contain a link that is a secret. Null once the mail was sent.
  sealed_content bytea,
  created timestamptz not null,
  -- The next attempt to send it; null where mails are kept, and once it was sent or given up.
  due timestamptz,
  attempts integer not null default 0,
  -- From then on nobody needs it: the link has ended, or it was kept for long enough.
  expires timestamptz not null,
  check (due is null or sealed_content is not null)
);
-- For the operator's list, and for those to one address.
create index mails_newest on mails (created, id);
create index mails_to_address on mails (to_address, created, id);
-- For what is to be sent, and to be deleted.
create index mails_due on mails (due) where due is not null;
create index mails_by_expiry on mails (expires);

-- Failed sign-ins of the last 15 minutes, by account and by address of the network, and the
-- registrations of an address, for all processes together (D-135, D-574, D-886); and the addresses
-- from which somebody has signed in (D-977).
create table sign_in_failures (
  -- The id that stands for no tenant (D-696).
  tenant_id uuid not null,
  -- Keyed digest of the e-mail or of the address, so that no list of either is kept.
  subject bytea not null check (length(subject) = 32),
  -- The newest ones, oldest first: as many as the limit of the subject.
  failed timestamptz[] not null check (cardinality(failed) <= 1000),
  -- From then on the row says nothing.
  expires timestamptz not null,
  primary key (tenant_id, subject)
);
create index sign_in_failures_by_expiry on sign_in_failures (expires);
