-- migrate:needs-program 0260
-- What providers of KYC and KYB are asked about users, and the entries of watchlists that they find
-- (D-1080, D-1170). The version before reads and writes none of it.

-- Calls since the provider last answered, and why the last one failed.
alter table kyc_requests add column attempts integer not null default 0;
alter table kyc_requests add column failure text;

-- Checks of a business (KYB) and further checks of a user (ONGOING). Those of KYC requests are the
-- requests themselves.
create table screenings (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('KYB', 'ONGOING')),
  status text not null check (status in ('WAITING', 'DONE')),
  -- When the provider is asked next; null once it has answered.
  due timestamptz,
  attempts integer not null default 0,
  failure text,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  constraint screenings_waiting_is_due check ((status = 'WAITING') = (due is not null))
);
create unique index screenings_waiting on screenings (tenant_id, user_id)
  where status = 'WAITING';
create index screenings_due on screenings (tenant_id, due) where due is not null;
create index screenings_of_user on screenings (tenant_id, user_id, created, id);
-- For a notification of a provider, which does not know tenants.
create index screenings_by_id on screenings (id) where status = 'WAITING';

-- An entry of a watchlist that may be the user.
create table screening_matches (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('KYC', 'KYB', 'ONGOING')),
  provider text not null,
  list text not null,
  -- The entry's own id within the list.
  listed_id text not null,
  name text not null,
  -- Per cent.
  score integer not null check (score between 0 and 100),
  reason text not null,
  status text not null check (status in ('OPEN', 'DISMISSED', 'CONFIRMED')),
  note text,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  constraint screening_matches_note check ((status = 'OPEN') = (note is null))
);
create unique index screening_matches_once
  on screening_matches (tenant_id, user_id, provider, list, listed_id);
create index screening_matches_open on screening_matches (tenant_id, user_id)
  where status = 'OPEN';
create index screening_matches_newest on screening_matches (created, id);
create index screening_matches_by_id on screening_matches (id);
