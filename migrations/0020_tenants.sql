-- Tenants and the API keys of their clients. Reference tables.

create table tenants (
  id uuid primary key,
  name text not null,
  -- The tenant's clock is the database's plus this (D-70). It only grows.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- Only what was set; the defaults are in issuing/tenants (D-25).
  settings jsonb not null default '{}',
  -- Sign the questions to the responder (D-58); the previous one until the end of a rotation.
  sealed_responder_secret bytea,
  sealed_previous_responder_secret bytea,
  previous_responder_secret_until timestamptz,
  created timestamptz not null,
  modified timestamptz not null
);

-- For the look at due work: those whose clock is ahead of the database's.
create index tenants_ahead on tenants (id) where clock_offset_ms > 0;

-- How many bytes the files of a tenant have (D-1005). Made with its first file.
create table stored_bytes (
  tenant_id uuid primary key,
  bytes bigint not null check (bytes >= 0)
);

create table api_keys (
  id uuid primary key,
  -- Null for a key of the operator, which belongs to no tenant (D-100).
  tenant_id uuid references tenants (id),
  key_hash bytea not null unique,
  -- First and last characters of the key, by which a person recognizes it.
  hint text not null,
  -- What a member calls it (D-138); null for a key of the operator's API or of the seed.
  name text check (length(name) <= 100),
  permissions text[] not null,
  -- The role of the member that made it, beyond whose limits it does nothing; null for a key of the
  -- operator's API, of a registration or of the seed (D-884).
  maker_role text,
  -- The person that made it, and the address at that time, which outlast the person (D-1002); null
  -- for a key of the operator's API or of the seed.
  created_by uuid,
  created_by_email text,
  check ((created_by is null) = (created_by_email is null)),
  created timestamptz not null,
  revoked timestamptz,
  -- Real time; at most ten seconds before the last request, null before the first (D-575).
  last_used timestamptz,
  check ((tenant_id is null) = ('operator' = any (permissions)))
);
-- For the list of a tenant's keys.
create index api_keys_of_tenant on api_keys (tenant_id, created, id);
